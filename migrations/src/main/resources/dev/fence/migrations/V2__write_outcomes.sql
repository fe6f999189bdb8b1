-- What came of a write whose outcome is unknown. docs/postgresql.md tells the protocol. To be run as version 1 was; it adds
-- functions and tables beside those, and changes none.

SELECT pg_catalog.set_config('fence.migrating_role', pg_catalog.current_setting('role'), true);
SET LOCAL ROLE ${owner};

------------------------------------------------------------------------------------------------------------- tables --

-- A statement that was sent in one message, with its commit, leaves nothing else that it could be told by. Written by the
-- statement's own transaction; or, not applied, by somebody who gave the statement up, and whose row keeps it out for ever.
CREATE TABLE ${schema}.write_record (
  id uuid PRIMARY KEY,
  made_at timestamptz NOT NULL,
  applied boolean NOT NULL
);
COMMENT ON TABLE ${schema}.write_record IS 'fence: statements that can be verified, for as long as they are kept';

-- A record that is missing says nothing about writes before this.
CREATE TABLE ${schema}.write_horizon (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  pruned_before timestamptz NOT NULL
);
INSERT INTO ${schema}.write_horizon (pruned_before) VALUES ('-infinity');
COMMENT ON TABLE ${schema}.write_horizon IS 'fence: records of writes before this time were removed';

-------------------------------------------------------------------------- steps of the functions below, and their columns --

-- The life of the server, from one crash to the next, as a number. After a crash it gives away again transaction numbers
-- that were lost with the end of the log; a timeline does not change then. From 15 on the statistics begin anew with the
-- recovery, at a time that is read here. (pg_stat_reset_shared does the same: then less can be told than could be.) Before 15
-- they are too slow to be read in every write, so that the number is the time at which the transaction began.
CREATE FUNCTION ${schema}.incarnation_v1() RETURNS bigint
  LANGUAGE plpgsql VOLATILE
AS $incarnation_v1$
DECLARE
  v_life timestamptz;
BEGIN
  IF current_setting('server_version_num') >= '150000' THEN -- six digits, so they compare as texts
    v_life := pg_stat_get_bgwriter_stat_reset_time();
  ELSE
    v_life := transaction_timestamp();
  END IF;
  RETURN coalesce((extract(epoch FROM v_life) * 1000000)::bigint, 0);
END
$incarnation_v1$;

CREATE FUNCTION ${schema}.is_this_life(p_incarnation bigint) RETURNS boolean
  LANGUAGE plpgsql VOLATILE
AS $is_this_life$
BEGIN
  IF current_setting('server_version_num') >= '150000' THEN
    RETURN p_incarnation = ${schema}.incarnation_v1();
  END IF;
  RETURN p_incarnation > extract(epoch FROM pg_stat_get_bgwriter_stat_reset_time()) * 1000000;
END
$is_this_life$;

-- What took effect, and whether a newer holder has built on it since.
CREATE FUNCTION ${schema}.applied_under(p_resource text, p_token bigint) RETURNS text
  LANGUAGE plpgsql VOLATILE
AS $applied_under$
BEGIN
  RETURN CASE WHEN EXISTS (SELECT FROM ${schema}.guard g WHERE g.resource = p_resource AND g.token <= p_token)
    THEN 'applied' ELSE 'superseded' END;
END
$applied_under$;

---------------------------------------------------------------------------------------------- what an application may --

-- What came of a transaction: 'applied', 'superseded' (applied, and a newer holder has sealed since), 'refused' (it did not
-- and never will) or 'unknown'. Waits at most so long for it to end.
CREATE FUNCTION ${schema}.verify_v1(
  p_resource text, p_token bigint, p_timeline bigint, p_xid xid8, p_incarnation bigint, p_wait_millis integer)
  RETURNS text
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $verify_v1$
DECLARE
  v_end timestamptz := clock_timestamp() + make_interval(secs => p_wait_millis / 1000.0);
  v_status text;
BEGIN
  PERFORM ${schema}.require_primary();
  -- On another history, or in another life, the number may be somebody else's.
  IF p_timeline IS DISTINCT FROM ${schema}.timeline_v1() OR ${schema}.is_this_life(p_incarnation) IS NOT TRUE THEN
    RETURN 'unknown';
  END IF;
  LOOP
    BEGIN
      v_status := pg_xact_status(p_xid); -- null: so long ago that it has been forgotten
    EXCEPTION WHEN invalid_parameter_value THEN
      RETURN 'unknown'; -- not given away yet
    END;
    EXIT WHEN v_status IS DISTINCT FROM 'in progress' OR clock_timestamp() >= v_end;
    PERFORM pg_sleep(0.01);
  END LOOP;
  RETURN CASE v_status
    WHEN 'committed' THEN ${schema}.applied_under(p_resource, p_token)
    WHEN 'aborted' THEN 'refused'
    ELSE 'unknown' END;
END
$verify_v1$;

-- Part of the statement's own transaction, which fails if somebody has given it up.
--
-- p_made_at: by the clock of the client, in microseconds since 1970; what is pruned is told by it, so it has to be about right.
CREATE FUNCTION ${schema}.record_v1(p_write uuid, p_made_at bigint) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $record_v1$
DECLARE
  v_made_at timestamptz := to_timestamp(p_made_at / 1000000.0);
BEGIN
  IF abs(extract(epoch FROM clock_timestamp() - v_made_at)) > 3600 THEN
    RAISE EXCEPTION USING ERRCODE = 'ZF015',
      MESSAGE = format('a write of %s is not recorded: the clocks of client and server differ by more than an hour', v_made_at);
  END IF;
  INSERT INTO ${schema}.write_record (id, made_at, applied) VALUES (p_write, v_made_at, true);
END
$record_v1$;

-- What came of a recorded statement, in words as above. Where there is no record, makes one that says so: whatever is still
-- on its way fails on it. Counts from its commit on. Waits at most so long for a statement that is in flight.
CREATE FUNCTION ${schema}.settle_v1(
  p_resource text, p_token bigint, p_write uuid, p_made_at bigint, p_wait_millis integer)
  RETURNS text
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $settle_v1$
DECLARE
  v_made_at timestamptz := to_timestamp(p_made_at / 1000000.0);
  v_applied boolean;
BEGIN
  PERFORM ${schema}.require_primary();
  SELECT r.applied INTO v_applied FROM ${schema}.write_record r WHERE r.id = p_write;
  IF NOT FOUND THEN
    PERFORM ${schema}.tighten('lock_timeout', p_wait_millis); -- also for a pruning that has not ended
    IF v_made_at <= (SELECT h.pruned_before FROM ${schema}.write_horizon h FOR SHARE) THEN
      RETURN 'unknown';
    END IF;
    IF current_setting('synchronous_commit') = 'off' THEN
      PERFORM set_config('synchronous_commit', 'on', true); -- or a crash could forget that the statement was given up
    END IF;
    BEGIN
      INSERT INTO ${schema}.write_record (id, made_at, applied) VALUES (p_write, v_made_at, false) ON CONFLICT DO NOTHING;
    EXCEPTION WHEN lock_not_available THEN
      RETURN 'unknown';
    END;
    SELECT r.applied INTO v_applied FROM ${schema}.write_record r WHERE r.id = p_write;
  END IF;
  RETURN CASE WHEN v_applied THEN ${schema}.applied_under(p_resource, p_token)
    WHEN NOT v_applied THEN 'refused'
    ELSE 'unknown' END;
END
$settle_v1$;

------------------------------------------------------------------------------------------------- what an operator may --

-- Removes the records of statements older than that, two days at least, and returns how many. They cannot be verified any more.
CREATE FUNCTION ${schema}.prune_writes_v1(p_older_than interval) RETURNS bigint
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $prune_writes_v1$
DECLARE
  v_before timestamptz := clock_timestamp() - p_older_than;
  v_pruned bigint;
BEGIN
  IF p_older_than IS NULL OR p_older_than < interval '2 days' THEN
    RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value',
      MESSAGE = format('records of writes are kept for 2 days at least: %s is less', p_older_than);
  END IF;
  UPDATE ${schema}.write_horizon h SET pruned_before = greatest(h.pruned_before, v_before);
  DELETE FROM ${schema}.write_record r WHERE r.made_at <= v_before;
  GET DIAGNOSTICS v_pruned = ROW_COUNT;
  RETURN v_pruned;
END
$prune_writes_v1$;

------------------------------------------------------------------------------------------------------------- rights --

REVOKE ALL ON FUNCTION
  ${schema}.incarnation_v1(),
  ${schema}.is_this_life(bigint),
  ${schema}.applied_under(text, bigint),
  ${schema}.verify_v1(text, bigint, bigint, xid8, bigint, integer),
  ${schema}.record_v1(uuid, bigint),
  ${schema}.settle_v1(text, bigint, uuid, bigint, integer),
  ${schema}.prune_writes_v1(interval)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  ${schema}.incarnation_v1(),
  ${schema}.verify_v1(text, bigint, bigint, xid8, bigint, integer),
  ${schema}.record_v1(uuid, bigint),
  ${schema}.settle_v1(text, bigint, uuid, bigint, integer)
  TO ${application};
GRANT EXECUTE ON FUNCTION ${schema}.prune_writes_v1(interval) TO ${operator};
GRANT SELECT ON ${schema}.write_record, ${schema}.write_horizon TO ${operator};

SELECT pg_catalog.set_config('role', pg_catalog.current_setting('fence.migrating_role'), true);
