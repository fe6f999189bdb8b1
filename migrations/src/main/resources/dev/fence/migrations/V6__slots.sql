-- Schedule slots of fence, version 6. docs/slots.md tells the protocol; the functions below are its rules.
--
-- To be run like V5, after it. The tables are read by everybody and changed by these functions alone.

SELECT pg_catalog.set_config('fence.migrating_role', pg_catalog.current_setting('role'), true);
SET LOCAL ROLE ${owner};

------------------------------------------------------------------------------------------------------------- tables --

-- One row for each slot that was started or skipped. Which slots there are, only the schedule knows.
CREATE TABLE ${schema}.slot (
  job text COLLATE "C" NOT NULL,
  scheduled_at timestamptz NOT NULL,
  journal text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  run uuid NOT NULL,
  attempts integer NOT NULL,
  source text COLLATE "C" NOT NULL,
  token bigint NOT NULL,
  holder uuid NOT NULL,
  detail text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (job, scheduled_at),
  CONSTRAINT slot_state CHECK (state IN ('running', 'done', 'failed', 'skipped'))
);
CREATE INDEX slot_running ON ${schema}.slot (job, scheduled_at) WHERE state = 'running';
COMMENT ON TABLE ${schema}.slot IS 'fence: what became of each slot of a job';

-- Every step that a slot ever took. Append-only.
CREATE TABLE ${schema}.slot_history (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  job text COLLATE "C" NOT NULL,
  scheduled_at timestamptz NOT NULL,
  from_state text COLLATE "C",
  to_state text COLLATE "C" NOT NULL,
  evidence text COLLATE "C" NOT NULL,
  run uuid NOT NULL,
  source text COLLATE "C" NOT NULL,
  token bigint NOT NULL,
  holder uuid NOT NULL,
  detail text NOT NULL
);
CREATE INDEX slot_history_slot ON ${schema}.slot_history (job, scheduled_at, id);
COMMENT ON TABLE ${schema}.slot_history IS 'fence: every step that a slot ever took; append-only';

-- A slot that is over must not be forgotten: it would run again.
CREATE TRIGGER protect_row BEFORE DELETE ON ${schema}.slot
  FOR EACH ROW EXECUTE FUNCTION ${schema}.protect_log();
CREATE TRIGGER protect_table BEFORE TRUNCATE ON ${schema}.slot
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.protect_log();
CREATE TRIGGER protect_table BEFORE UPDATE OR DELETE OR TRUNCATE ON ${schema}.slot_history
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.protect_log();
ALTER TABLE ${schema}.slot ENABLE ALWAYS TRIGGER protect_row, ENABLE ALWAYS TRIGGER protect_table;
ALTER TABLE ${schema}.slot_history ENABLE ALWAYS TRIGGER protect_table;

--------------------------------------------------------------------------------------------------------------- steps --

-- One step of the holder of the lease. It checks the grant itself, whoever calls. Returns the slot as it stands then, or the one
-- that is in the way; "moved" says whether the step was taken, now or by an earlier try of the same run.
CREATE FUNCTION ${schema}.slot_move_v1(
  p_job text, p_scheduled_at timestamptz, p_journal text, p_source text, p_token bigint, p_holder uuid, p_to text,
  p_evidence text, p_run uuid, p_detail text)
  RETURNS TABLE (entry ${schema}.slot, moved boolean)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $slot_move_v1$
DECLARE
  s ${schema}.slot;
  v_other ${schema}.slot;
  v_mine boolean;
  v_permitted boolean;
BEGIN
  PERFORM ${schema}.check_v1('effects/' || p_journal, p_source, p_journal, p_token, p_holder, 2000, NULL);
  -- Two threads of one holder pass the guard together: one after the other from here on, for each job.
  PERFORM pg_advisory_xact_lock(hashtextextended('fence.slot/' || p_job, 0));
  SELECT * INTO s FROM ${schema}.slot WHERE job = p_job AND scheduled_at = p_scheduled_at;
  IF s.job IS NOT NULL AND s.journal <> p_journal THEN
    RAISE EXCEPTION USING ERRCODE = 'ZF023', MESSAGE = format(
      'slot %s of job "%s" is in the journal of lease "%s" and cannot be in that of "%s" too: two holders would run it',
      p_scheduled_at, p_job, s.journal, p_journal);
  END IF;
  v_mine := (s.source, s.token, s.holder) IS NOT DISTINCT FROM (p_source, p_token, p_holder);

  -- An answer that was lost, asked again.
  IF s.state = p_to AND s.run = p_run AND v_mine THEN
    RETURN QUERY SELECT s, true;
    RETURN;
  END IF;
  IF p_to = 'running' THEN
    -- What another holder left running is not in the way: it is out, and its slot waits to be run again.
    SELECT * INTO v_other FROM ${schema}.slot o
      WHERE o.job = p_job AND o.scheduled_at <> p_scheduled_at AND o.state = 'running'
        AND (o.source, o.token, o.holder) = (p_source, p_token, p_holder)
      LIMIT 1;
    IF FOUND THEN
      RETURN QUERY SELECT v_other, false;
      RETURN;
    END IF;
  END IF;
  v_permitted := CASE p_evidence
    -- A former holder's run was cut off: its writes are refused, so the slot may start again.
    WHEN 'start' THEN p_to = 'running' AND (s.job IS NULL OR s.state = 'running' AND NOT v_mine)
    WHEN 'rerun' THEN p_to = 'running' AND s.state IN ('failed', 'skipped')
    WHEN 'end' THEN p_to IN ('done', 'failed') AND s.state = 'running' AND v_mine AND s.run = p_run
    WHEN 'skip' THEN p_to = 'skipped' AND s.job IS NULL
    ELSE false END;
  IF NOT coalesce(v_permitted, false) THEN
    RETURN QUERY SELECT s, false;
    RETURN;
  END IF;

  INSERT INTO ${schema}.slot_history
      (job, scheduled_at, from_state, to_state, evidence, run, source, token, holder, detail)
    VALUES (p_job, p_scheduled_at, s.state, p_to, p_evidence, p_run, p_source, p_token, p_holder, p_detail);
  RETURN QUERY
    INSERT INTO ${schema}.slot AS u
        (job, scheduled_at, journal, state, run, attempts, source, token, holder, detail)
      VALUES (p_job, p_scheduled_at, p_journal, p_to, p_run, (p_to = 'running')::integer, p_source, p_token, p_holder,
        p_detail)
      ON CONFLICT (job, scheduled_at) DO UPDATE
        SET state = p_to, run = p_run, attempts = u.attempts + (p_to = 'running')::integer, source = p_source,
          token = p_token, holder = p_holder, detail = p_detail, changed_at = clock_timestamp()
      RETURNING u, true;
END
$slot_move_v1$;

------------------------------------------------------------------------------------------------------------- rights --

REVOKE ALL ON FUNCTION
  ${schema}.slot_move_v1(text, timestamptz, text, text, bigint, uuid, text, text, uuid, text)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  ${schema}.slot_move_v1(text, timestamptz, text, text, bigint, uuid, text, text, uuid, text)
  TO ${application};
GRANT SELECT ON ${schema}.slot, ${schema}.slot_history TO ${application}, ${operator};

SELECT pg_catalog.set_config('role', pg_catalog.current_setting('fence.migrating_role'), true);
