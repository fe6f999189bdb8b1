-- The effect journal of fence, version 5. docs/effects.md tells the protocol; the functions below are its rules.
--
-- To be run like V1, after it. The tables are read by everybody and changed by these functions alone.

SELECT pg_catalog.set_config('fence.migrating_role', pg_catalog.current_setting('role'), true);
SET LOCAL ROLE ${owner};

------------------------------------------------------------------------------------------------------------- tables --

-- One row for each effect: where it stands. What it says is the sum of its history.
CREATE TABLE ${schema}.effect (
  key text COLLATE "C" PRIMARY KEY,
  effect text COLLATE "C" NOT NULL,
  business_key text COLLATE "C" NOT NULL,
  journal text COLLATE "C" NOT NULL,
  run text COLLATE "C",
  keyed boolean NOT NULL,
  request text NOT NULL,
  state text COLLATE "C" NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  attempts_since_decision integer NOT NULL DEFAULT 0,
  doubt boolean NOT NULL DEFAULT false,
  sent_source text COLLATE "C",
  sent_token bigint,
  sent_holder uuid,
  first_sent_at timestamptz,
  last_sent_at timestamptz,
  reference text,
  result text,
  replayed boolean NOT NULL DEFAULT false,
  detail text NOT NULL DEFAULT '',
  planned_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT effect_key CHECK (key ~ '^[0-9a-f]{32}$'),
  CONSTRAINT effect_state CHECK (
    state IN ('planned', 'sent', 'done', 'refused', 'unknown', 'not_executed', 'manual')),
  CONSTRAINT effect_proof CHECK (state <> 'done' OR coalesce(reference, '') <> ''),
  CONSTRAINT effect_claim CHECK (state <> 'sent' OR sent_holder IS NOT NULL)
);
CREATE INDEX effect_open ON ${schema}.effect (journal, effect, key) WHERE state NOT IN ('done', 'refused');
CREATE INDEX effect_run ON ${schema}.effect (effect, run) WHERE run IS NOT NULL;
COMMENT ON TABLE ${schema}.effect IS 'fence: where each effect stands';
COMMENT ON COLUMN ${schema}.effect.doubt IS 'an earlier attempt may still take effect';

-- Every step that an effect ever took. Append-only.
CREATE TABLE ${schema}.effect_history (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text COLLATE "C" NOT NULL REFERENCES ${schema}.effect,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  database_user text NOT NULL DEFAULT session_user,
  from_state text COLLATE "C",
  to_state text COLLATE "C" NOT NULL,
  evidence text COLLATE "C" NOT NULL,
  source text COLLATE "C",
  token bigint,
  holder uuid,
  reference text,
  replayed boolean NOT NULL DEFAULT false,
  detail text NOT NULL DEFAULT '',
  operator text,
  reason text,
  CONSTRAINT effect_history_operator CHECK (
    CASE WHEN evidence = 'operator' THEN coalesce(operator, '') <> '' AND coalesce(reason, '') <> ''
      ELSE operator IS NULL AND reason IS NULL END)
);
CREATE INDEX effect_history_key ON ${schema}.effect_history (key, id);
COMMENT ON TABLE ${schema}.effect_history IS 'fence: every step that an effect ever took; append-only';

----------------------------------------------------------------------------------- what nobody does by ordinary means --

-- An effect that is over is evidence, and what stops a repeat. It is never removed, nor any step of it.
CREATE FUNCTION ${schema}.protect_effect() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $protect_effect$
BEGIN
  IF TG_OP = 'UPDATE'
    AND OLD.state NOT IN ('done', 'refused')
    AND (NEW.key, NEW.effect, NEW.business_key, NEW.journal, NEW.run, NEW.keyed, NEW.request, NEW.planned_at)
      IS NOT DISTINCT FROM
      (OLD.key, OLD.effect, OLD.business_key, OLD.journal, OLD.run, OLD.keyed, OLD.request, OLD.planned_at)
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION USING ERRCODE = 'ZF013',
    MESSAGE = format('%s on %I.%I is refused: the journal of effects is evidence', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME);
END
$protect_effect$;

CREATE TRIGGER protect_row BEFORE UPDATE OR DELETE ON ${schema}.effect
  FOR EACH ROW EXECUTE FUNCTION ${schema}.protect_effect();
CREATE TRIGGER protect_table BEFORE TRUNCATE ON ${schema}.effect
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.protect_effect();
CREATE TRIGGER protect_table BEFORE UPDATE OR DELETE OR TRUNCATE ON ${schema}.effect_history
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.protect_log();
ALTER TABLE ${schema}.effect ENABLE ALWAYS TRIGGER protect_row, ENABLE ALWAYS TRIGGER protect_table;
ALTER TABLE ${schema}.effect_history ENABLE ALWAYS TRIGGER protect_table;

--------------------------------------------------------------------------------------------------------------- steps --

-- Writes down what is to be done, in the transaction of whoever calls. Returns all effects asked for and, of a run, also
-- those planned before that are not among them; "fresh" are the ones that were not there.
CREATE FUNCTION ${schema}.effect_plan_v1(
  p_journal text, p_effect text, p_keyed boolean, p_run text, p_keys text[], p_business_keys text[], p_requests text[])
  RETURNS TABLE (entry ${schema}.effect, fresh boolean)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $effect_plan_v1$
DECLARE
  v_fresh text[];
BEGIN
  -- In the order of the keys: two that plan the same must not wait for each other.
  WITH added AS (
    INSERT INTO ${schema}.effect (key, effect, business_key, journal, run, keyed, request, state)
      SELECT p.key, p_effect, p.business_key, p_journal, p_run, p_keyed, p.request, 'planned'
      FROM unnest(p_keys, p_business_keys, p_requests) AS p (key, business_key, request)
      ORDER BY p.key
      ON CONFLICT DO NOTHING
      RETURNING effect.key)
  SELECT coalesce(array_agg(a.key), '{}') INTO v_fresh FROM added a;
  INSERT INTO ${schema}.effect_history (key, to_state, evidence)
    SELECT f.key, 'planned', 'plan' FROM unnest(v_fresh) AS f (key);
  -- A statement of its own: it sees what a concurrent planner has committed meanwhile.
  RETURN QUERY
    SELECT e, e.key = ANY (v_fresh) FROM ${schema}.effect e
    WHERE e.key = ANY (p_keys) OR e.effect = p_effect AND e.run = p_run;
END
$effect_plan_v1$;

-- One step of the holder. It checks the grant itself, whoever calls.
CREATE FUNCTION ${schema}.effect_move_v1(
  p_key text, p_source text, p_token bigint, p_holder uuid, p_from text, p_to text, p_evidence text, p_reference text,
  p_result text, p_replayed boolean, p_detail text)
  RETURNS SETOF ${schema}.effect
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $effect_move_v1$
DECLARE
  e ${schema}.effect;
  v_mine boolean;
  v_permitted boolean;
BEGIN
  SELECT * INTO e FROM ${schema}.effect WHERE key = p_key;
  IF NOT FOUND THEN
    RAISE EXCEPTION USING ERRCODE = 'ZF020', MESSAGE = format('there is no effect with key %s', p_key);
  END IF;
  PERFORM ${schema}.check_v1('effects/' || e.journal, p_source, e.journal, p_token, p_holder, 2000, NULL);
  SELECT * INTO e FROM ${schema}.effect WHERE key = p_key FOR UPDATE;
  IF e.state <> p_from THEN
    RAISE EXCEPTION USING ERRCODE = 'ZF021',
      MESSAGE = format('effect %s is %s and no longer %s', p_key, e.state, p_from);
  END IF;
  v_mine := (e.sent_source, e.sent_token, e.sent_holder) IS NOT DISTINCT FROM (p_source, p_token, p_holder);
  v_permitted := CASE p_evidence
    WHEN 'call' THEN (p_from, p_to) = ('planned', 'sent')
    -- Only with a provider that knows the key again. Without, a second call is a second effect.
    WHEN 'repeat' THEN p_from IN ('sent', 'unknown') AND p_to = 'sent' AND e.keyed
    -- What came back answers the attempt of whoever made it. That an earlier attempt did not succeed it does not say,
    -- unless the provider repeats what it said to that one.
    WHEN 'answer' THEN p_from = 'sent' AND v_mine
      AND (p_to IN ('done', 'unknown') OR p_to = 'refused' AND (p_replayed OR NOT e.doubt)
        OR p_to = 'not_executed' AND NOT e.doubt)
    -- A former holder that marked it sent can still make the call, when it wakes up: what was not found can happen yet.
    WHEN 'lookup' THEN p_from IN ('sent', 'unknown')
      AND (p_to IN ('done', 'manual') OR p_to = 'not_executed' AND e.keyed)
    WHEN 'limit' THEN p_from IN ('sent', 'unknown', 'not_executed') AND p_to = 'manual'
    WHEN 'again' THEN (p_from, p_to) = ('not_executed', 'planned')
    ELSE false END;
  IF NOT v_permitted THEN
    RAISE EXCEPTION USING ERRCODE = 'ZF022',
      MESSAGE = format('effect %s may not go from %s to %s on the evidence "%s"', p_key, p_from, p_to, p_evidence),
      DETAIL = format('keyed %s, doubt %s, replayed %s, own claim %s', e.keyed, e.doubt, p_replayed, v_mine);
  END IF;

  INSERT INTO ${schema}.effect_history
      (key, from_state, to_state, evidence, source, token, holder, reference, replayed, detail)
    VALUES (p_key, p_from, p_to, p_evidence, p_source, p_token, p_holder, p_reference, p_replayed, p_detail);
  RETURN QUERY
    UPDATE ${schema}.effect u
    SET state = p_to,
      attempts = u.attempts + (p_to = 'sent')::integer,
      attempts_since_decision = u.attempts_since_decision + (p_to = 'sent')::integer,
      doubt = u.doubt OR p_evidence = 'repeat' OR p_evidence = 'lookup' AND p_to = 'not_executed',
      sent_source = CASE WHEN p_to = 'sent' THEN p_source ELSE u.sent_source END,
      sent_token = CASE WHEN p_to = 'sent' THEN p_token ELSE u.sent_token END,
      sent_holder = CASE WHEN p_to = 'sent' THEN p_holder ELSE u.sent_holder END,
      first_sent_at = CASE WHEN p_to = 'sent' THEN coalesce(u.first_sent_at, clock_timestamp()) ELSE u.first_sent_at END,
      last_sent_at = CASE WHEN p_to = 'sent' THEN clock_timestamp() ELSE u.last_sent_at END,
      reference = coalesce(p_reference, u.reference),
      result = coalesce(p_result, u.result),
      replayed = p_replayed,
      detail = p_detail,
      changed_at = clock_timestamp()
    WHERE u.key = p_key
    RETURNING u.*;
END
$effect_move_v1$;

-- A person's word on what nobody else can decide. It is appended; the key stays.
CREATE FUNCTION ${schema}.effect_resolve_v1(
  p_key text, p_from text, p_happened boolean, p_reference text, p_operator text, p_reason text)
  RETURNS SETOF ${schema}.effect
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $effect_resolve_v1$
DECLARE
  e ${schema}.effect;
  v_to text := CASE WHEN p_happened THEN 'done' ELSE 'not_executed' END;
BEGIN
  SELECT * INTO e FROM ${schema}.effect WHERE key = p_key FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION USING ERRCODE = 'ZF020', MESSAGE = format('there is no effect with key %s', p_key);
  END IF;
  IF e.state <> p_from THEN
    RAISE EXCEPTION USING ERRCODE = 'ZF021',
      MESSAGE = format('effect %s is %s and no longer %s', p_key, e.state, p_from);
  END IF;
  IF e.state NOT IN ('unknown', 'manual') THEN
    RAISE EXCEPTION USING ERRCODE = 'ZF022',
      MESSAGE = format('effect %s is %s: a person decides only what is unknown or manual', p_key, e.state);
  END IF;
  INSERT INTO ${schema}.effect_history (key, from_state, to_state, evidence, reference, operator, reason)
    VALUES (p_key, e.state, v_to, 'operator', p_reference, p_operator, p_reason);
  RETURN QUERY
    UPDATE ${schema}.effect u
    SET state = v_to, reference = coalesce(p_reference, u.reference), detail = p_operator || ': ' || p_reason,
      attempts_since_decision = 0, doubt = false, replayed = false, changed_at = clock_timestamp()
    WHERE u.key = p_key
    RETURNING u.*;
END
$effect_resolve_v1$;

------------------------------------------------------------------------------------------------------------- rights --

REVOKE ALL ON FUNCTION
  ${schema}.protect_effect(),
  ${schema}.effect_plan_v1(text, text, boolean, text, text[], text[], text[]),
  ${schema}.effect_move_v1(text, text, bigint, uuid, text, text, text, text, text, boolean, text),
  ${schema}.effect_resolve_v1(text, text, boolean, text, text, text)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  ${schema}.effect_plan_v1(text, text, boolean, text, text[], text[], text[]),
  ${schema}.effect_move_v1(text, text, bigint, uuid, text, text, text, text, text, boolean, text)
  TO ${application};
GRANT EXECUTE ON FUNCTION ${schema}.effect_resolve_v1(text, text, boolean, text, text, text) TO ${operator};
GRANT SELECT ON ${schema}.effect, ${schema}.effect_history TO ${application}, ${operator};

SELECT pg_catalog.set_config('role', pg_catalog.current_setting('fence.migrating_role'), true);
