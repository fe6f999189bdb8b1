-- Resources that are one row each and carry their token themselves, and who is in the way of a sealer. docs/postgresql.md tells
-- the protocol. To be run as version 1 was; it adds functions beside those, and changes none.

SELECT pg_catalog.set_config('fence.migrating_role', pg_catalog.current_setting('role'), true);
SET LOCAL ROLE ${owner};

-- What stands before the statement that takes the lock of a row: bounds its wait, and limits the transaction. In one piece,
-- because it stands before each update.
CREATE FUNCTION ${schema}.begin_row_v1(p_wait_millis integer, p_idle_millis integer) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $begin_row_v1$
DECLARE
  v_lock_timeout text := current_setting('lock_timeout');
BEGIN
  IF current_setting('transaction_read_only') = 'on' THEN
    PERFORM ${schema}.require_primary();
  END IF;
  PERFORM set_config('fence.lock_timeout', v_lock_timeout, true);
  IF v_lock_timeout = '0' AND p_wait_millis > 0 THEN
    PERFORM set_config('lock_timeout', p_wait_millis::text, true);
  ELSE
    PERFORM ${schema}.tighten('lock_timeout', p_wait_millis);
  END IF;
  IF current_setting('idle_in_transaction_session_timeout') = '0' AND current_setting('transaction_timeout', true) = '0'
    AND p_idle_millis > 0
  THEN
    PERFORM set_config('idle_in_transaction_session_timeout', p_idle_millis::text, true),
      set_config('transaction_timeout', p_idle_millis::text, true);
  ELSE
    PERFORM ${schema}.limit_transaction(p_idle_millis);
  END IF;
END
$begin_row_v1$;

-- What stands behind it: the caller's own waits are its own business.
CREATE FUNCTION ${schema}.end_row_v1() RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $end_row_v1$
BEGIN
  PERFORM set_config('lock_timeout', current_setting('fence.lock_timeout'), true);
END
$end_row_v1$;

-- The backends that have the lock of a resource and belong to the user who asks, for whom it is to end them.
CREATE FUNCTION ${schema}.blockers_v1(p_resource text) RETURNS SETOF integer
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $blockers_v1$
  SELECT l.pid
  FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid AND a.usename = session_user
  WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND l.classid = ((${schema}.lock_key(p_resource) >> 32) & 4294967295)::oid
    AND l.objid = (${schema}.lock_key(p_resource) & 4294967295)::oid
    AND l.pid <> pg_backend_pid();
$blockers_v1$;

REVOKE ALL ON FUNCTION
  ${schema}.begin_row_v1(integer, integer),
  ${schema}.end_row_v1(),
  ${schema}.blockers_v1(text)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  ${schema}.begin_row_v1(integer, integer),
  ${schema}.end_row_v1(),
  ${schema}.blockers_v1(text)
  TO ${application};

SELECT pg_catalog.set_config('role', pg_catalog.current_setting('fence.migrating_role'), true);
