-- The guard of fence, version 1. docs/postgresql.md tells the protocol; the functions below are the protocol.
--
-- To be run in one transaction, with ${schema}, ${owner}, ${application} and ${operator} replaced by lower-case names, by
-- a user who may create roles and, in this database, schemas. A later version adds functions of its own (.._v2) beside
-- these and leaves their signatures alone: two versions of the library run side by side during an upgrade.

CREATE SCHEMA IF NOT EXISTS ${schema};

DO $roles$
DECLARE
  v_role text;
BEGIN
  FOREACH v_role IN ARRAY ARRAY['${owner}', '${application}', '${operator}'] LOOP
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = v_role) THEN
      BEGIN
        EXECUTE pg_catalog.format('CREATE ROLE %I NOLOGIN', v_role);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL; -- roles belong to the whole cluster, and another database is being migrated at this moment
      END;
    END IF;
  END LOOP;
  IF NOT (SELECT rolsuper OR rolname = '${owner}' FROM pg_catalog.pg_roles WHERE rolname = current_user) THEN
    BEGIN
      EXECUTE pg_catalog.format('GRANT %I TO %I', '${owner}', current_user);
    EXCEPTION WHEN insufficient_privilege OR unique_violation THEN
      NULL; -- the owner role was made by somebody else: whether we may act as it shows below
    END;
  END IF;
  EXECUTE pg_catalog.format('ALTER SCHEMA %I OWNER TO %I', '${schema}', '${owner}');
  EXECUTE pg_catalog.format('GRANT USAGE, CREATE ON SCHEMA %I TO %I', '${schema}', current_user);
END
$roles$;

-- From here to the end as the owner; Flyway writes its history as the user who called it.
SELECT pg_catalog.set_config('fence.migrating_role', pg_catalog.current_setting('role'), true);
SET LOCAL ROLE ${owner};

------------------------------------------------------------------------------------------------------------- tables --

-- One row for each protected resource: the grant that sealed it last.
CREATE TABLE ${schema}.guard (
  resource text COLLATE "C" PRIMARY KEY,
  source text COLLATE "C" NOT NULL,
  lease_name text COLLATE "C" NOT NULL,
  token bigint NOT NULL,
  holder uuid NOT NULL,
  label text NOT NULL,
  sealed_at timestamptz NOT NULL,
  timeline bigint NOT NULL,
  CONSTRAINT guard_token CHECK (token > 0),
  CONSTRAINT guard_resource CHECK (octet_length(resource) BETWEEN 1 AND 255 AND resource !~ '[[:cntrl:]]'),
  CONSTRAINT guard_source CHECK (source ~ '^[a-z0-9][a-z0-9._-]{0,62}$'),
  CONSTRAINT guard_lease_name CHECK (octet_length(lease_name) BETWEEN 1 AND 255 AND lease_name !~ '[[:cntrl:]]'),
  CONSTRAINT guard_label CHECK (octet_length(label) <= 255 AND label !~ '[[:cntrl:]]')
);
COMMENT ON TABLE ${schema}.guard IS 'fence: the grant that sealed each resource last';

-- What ever happened to a guard. Append-only.
CREATE TABLE ${schema}.seal_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  database_user text NOT NULL DEFAULT session_user,
  action text NOT NULL,
  resource text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  lease_name text COLLATE "C" NOT NULL,
  token bigint NOT NULL,
  holder uuid NOT NULL,
  label text NOT NULL,
  timeline bigint NOT NULL,
  operator text,
  reason text,
  CONSTRAINT seal_log_action CHECK (action IN ('created', 'sealed', 'resealed', 'retired', 'overridden')),
  CONSTRAINT seal_log_operator CHECK (
    CASE WHEN action IN ('retired', 'overridden') THEN coalesce(operator, '') <> '' AND coalesce(reason, '') <> ''
      ELSE operator IS NULL AND reason IS NULL END)
);
CREATE INDEX seal_log_resource ON ${schema}.seal_log (resource, id);
COMMENT ON TABLE ${schema}.seal_log IS 'fence: what ever happened to a guard; append-only';

-- The highest token of a retired guard, for each source: a guard made anew starts above it.
CREATE TABLE ${schema}.creation_floor (
  source text COLLATE "C" PRIMARY KEY,
  token bigint NOT NULL,
  CONSTRAINT creation_floor_token CHECK (token > 0)
);
COMMENT ON TABLE ${schema}.creation_floor IS 'fence: no guard is created with a token at or below this';

----------------------------------------------------------------------------------- what nobody does by ordinary means --

CREATE FUNCTION ${schema}.protect_guard() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $protect_guard$
BEGIN
  IF TG_OP = 'UPDATE'
    AND (NEW.resource, NEW.source, NEW.lease_name) = (OLD.resource, OLD.source, OLD.lease_name)
    AND (NEW.token > OLD.token OR NEW.token = OLD.token AND NEW.holder = OLD.holder)
    AND NEW.sealed_at >= OLD.sealed_at
  THEN
    RETURN NEW;
  END IF;
  -- The time tells this transaction from one with the same number in a cluster from which the log was restored.
  IF TG_OP IN ('UPDATE', 'DELETE') AND EXISTS (
    SELECT FROM ${schema}.seal_log l
    WHERE l.resource = OLD.resource AND l.xid = pg_current_xact_id() AND l.at >= transaction_timestamp()
      AND l.action = CASE TG_OP WHEN 'DELETE' THEN 'retired' ELSE 'overridden' END)
  THEN
    IF TG_OP = 'DELETE' THEN
      RETURN OLD;
    ELSIF NEW.resource = OLD.resource THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION USING ERRCODE = 'ZF013',
    MESSAGE = format('%s on %I.%I is refused: a guard is not removed, lowered or bound anew', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME),
    HINT = 'An operator calls ${schema}.retire_v1 or ${schema}.override_v1, with name and reason.';
END
$protect_guard$;

CREATE TRIGGER protect_row BEFORE UPDATE OR DELETE ON ${schema}.guard
  FOR EACH ROW EXECUTE FUNCTION ${schema}.protect_guard();
CREATE TRIGGER protect_table BEFORE TRUNCATE ON ${schema}.guard
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.protect_guard();

CREATE FUNCTION ${schema}.protect_floor() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $protect_floor$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.source = OLD.source AND NEW.token >= OLD.token THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION USING ERRCODE = 'ZF013',
    MESSAGE = format('%s on %I.%I is refused: a creation floor never falls', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME);
END
$protect_floor$;

CREATE TRIGGER protect_row BEFORE UPDATE OR DELETE ON ${schema}.creation_floor
  FOR EACH ROW EXECUTE FUNCTION ${schema}.protect_floor();
CREATE TRIGGER protect_table BEFORE TRUNCATE ON ${schema}.creation_floor
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.protect_floor();

CREATE FUNCTION ${schema}.protect_log() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $protect_log$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'ZF013',
    MESSAGE = format('%s on %I.%I is refused: the log is append-only', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME);
END
$protect_log$;

CREATE TRIGGER protect_table BEFORE UPDATE OR DELETE OR TRUNCATE ON ${schema}.seal_log
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.protect_log();

-- ALWAYS: session_replication_role = replica does not switch them off.
ALTER TABLE ${schema}.guard ENABLE ALWAYS TRIGGER protect_row, ENABLE ALWAYS TRIGGER protect_table;
ALTER TABLE ${schema}.creation_floor ENABLE ALWAYS TRIGGER protect_row, ENABLE ALWAYS TRIGGER protect_table;
ALTER TABLE ${schema}.seal_log ENABLE ALWAYS TRIGGER protect_table;

---------------------------------------------------- steps of the functions below; they run with the caller's search_path --

-- The advisory lock of a resource. The seed, 'fence' as a number, keeps clear of the keys an application makes up.
-- Two resources with one key wait for each other and are otherwise unharmed: the row decides.
CREATE FUNCTION ${schema}.lock_key(p_resource text) RETURNS bigint
  LANGUAGE sql IMMUTABLE
  RETURN hashtextextended(p_resource COLLATE "C", 439788397413);

-- The history that this server continues. Not from the control file, which is late after a fast promotion. An application
-- reads it before it has its lease confirmed: a confirmation says nothing about a history that began after it.
CREATE FUNCTION ${schema}.timeline_v1() RETURNS bigint
  LANGUAGE sql VOLATILE
  RETURN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint;

-- Lowers a time-out until the end of the transaction, never raises it, and returns what it was. 0 means none.
CREATE FUNCTION ${schema}.tighten(p_setting text, p_millis integer) RETURNS text
  LANGUAGE plpgsql
AS $tighten$
DECLARE
  v_before text := current_setting(p_setting, true); -- null where the server does not know the setting
BEGIN
  IF p_millis IS NULL OR p_millis < 1 THEN -- 0 would mean none
    RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = format('%s ms is no bound', p_millis);
  END IF;
  IF v_before = '0' OR v_before::interval > make_interval(secs => p_millis / 1000.0) THEN
    PERFORM set_config(p_setting, p_millis || 'ms', true);
  END IF;
  RETURN v_before;
END
$tighten$;

-- A holder that is stopped in mid-transaction keeps the next one waiting for so long and no longer.
CREATE FUNCTION ${schema}.limit_transaction(p_millis integer) RETURNS void
  LANGUAGE plpgsql
AS $limit_transaction$
BEGIN
  PERFORM ${schema}.tighten('idle_in_transaction_session_timeout', p_millis);
  PERFORM ${schema}.tighten('transaction_timeout', p_millis); -- from PostgreSQL 17 on
END
$limit_transaction$;

-- Who has, or queues for, a lock, in words for people.
CREATE FUNCTION ${schema}.in_the_way(p_key bigint) RETURNS text
  LANGUAGE sql VOLATILE
  RETURN (
    SELECT coalesce(string_agg(
        coalesce('backend ' || l.pid, 'prepared transaction "' || p.gid || '"', 'a prepared transaction')
          || CASE WHEN l.granted THEN ' has ' ELSE ' waits for ' END || l.mode, ', ' ORDER BY l.granted DESC, l.pid),
      'nobody any more')
    FROM pg_locks l
    LEFT JOIN pg_locks x ON l.pid IS NULL AND x.pid IS NULL AND x.locktype = 'transactionid'
      AND x.virtualtransaction = l.virtualtransaction
    LEFT JOIN pg_prepared_xacts p ON p.transaction = x.transactionid
    WHERE l.locktype = 'advisory' AND l.objsubid = 1
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND l.classid = ((p_key >> 32) & 4294967295)::oid AND l.objid = (p_key & 4294967295)::oid
      AND l.pid IS DISTINCT FROM pg_backend_pid());

-- The lock of a resource, waiting for it at most so long. The queue is fair: a sealer waits for writers in flight only.
CREATE FUNCTION ${schema}.take_lock(p_resource text, p_exclusive boolean, p_wait_millis integer) RETURNS void
  LANGUAGE plpgsql
AS $take_lock$
DECLARE
  v_key bigint := ${schema}.lock_key(p_resource);
  v_lock_timeout text;
BEGIN
  IF (CASE WHEN p_exclusive THEN pg_try_advisory_xact_lock(v_key) ELSE pg_try_advisory_xact_lock_shared(v_key) END) THEN
    RETURN; -- a try never overtakes a waiting sealer
  END IF;
  BEGIN
    v_lock_timeout := ${schema}.tighten('lock_timeout', p_wait_millis);
    IF p_exclusive THEN
      PERFORM pg_advisory_xact_lock(v_key);
    ELSE
      PERFORM pg_advisory_xact_lock_shared(v_key);
    END IF;
    PERFORM set_config('lock_timeout', v_lock_timeout, true); -- the caller's own waits are its own business
  EXCEPTION WHEN lock_not_available THEN
    RAISE EXCEPTION USING ERRCODE = 'lock_not_available',
      MESSAGE = format('the lock of resource "%s" was not free within %s ms; in the way: %s',
        p_resource, p_wait_millis, ${schema}.in_the_way(v_key));
  END;
END
$take_lock$;

-- A read that decides something is as wrong on a standby as a write.
CREATE FUNCTION ${schema}.require_primary() RETURNS void
  LANGUAGE plpgsql
AS $require_primary$
BEGIN
  IF current_setting('transaction_read_only') = 'on' THEN
    RAISE EXCEPTION USING ERRCODE = 'ZF011', MESSAGE = CASE WHEN pg_is_in_recovery()
      THEN 'this server is a standby: a guard is checked and raised on the primary'
      ELSE 'this transaction is read-only: a guard is checked and raised in a read-write transaction' END;
  END IF;
END
$require_primary$;

-- The beginning of every change of a guard: alone with the resource, durable, and seeing what others committed. A change
-- is a transaction of its own, so its limits stay until it ends.
CREATE FUNCTION ${schema}.begin_change(p_resource text, p_wait_millis integer) RETURNS void
  LANGUAGE plpgsql
AS $begin_change$
BEGIN
  PERFORM ${schema}.require_primary();
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION USING ERRCODE = 'ZF012',
      MESSAGE = 'a guard is changed at READ COMMITTED only: any other snapshot can be older than the lock';
  END IF;
  -- An asynchronous commit is acknowledged and can still be lost: after a crash the old holder would pass again.
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  PERFORM ${schema}.tighten('lock_timeout', p_wait_millis); -- also for rows that a foreign session has locked
  PERFORM ${schema}.take_lock(p_resource, true, p_wait_millis);
  PERFORM ${schema}.limit_transaction(greatest(p_wait_millis, 1000)); -- a short wait is no reason to be cut off in COMMIT
END
$begin_change$;

-- Raises an error that carries the guard in its DETAIL, tab-separated: names have no control characters.
CREATE FUNCTION ${schema}.refuse(p_sqlstate text, p_why text, p_guard ${schema}.guard) RETURNS void
  LANGUAGE plpgsql
AS $refuse$
BEGIN
  RAISE EXCEPTION USING ERRCODE = p_sqlstate,
    MESSAGE = format('resource "%s": %s', p_guard.resource, p_why),
    DETAIL = concat_ws(E'\t', p_guard.source, p_guard.lease_name, p_guard.token, p_guard.holder, p_guard.label,
      to_char(p_guard.sealed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), p_guard.timeline);
END
$refuse$;

CREATE FUNCTION ${schema}.refuse_missing(p_resource text) RETURNS void
  LANGUAGE plpgsql
AS $refuse_missing$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'ZF001', MESSAGE = format('resource "%s" has no guard', p_resource);
END
$refuse_missing$;

-- Why a check does not pass. Called while the guard is locked: it is as the check saw it.
CREATE FUNCTION ${schema}.refuse_check(
  p_resource text, p_source text, p_lease_name text, p_token bigint, p_holder uuid)
  RETURNS void
  LANGUAGE plpgsql
AS $refuse_check$
DECLARE
  v_guard ${schema}.guard;
BEGIN
  PERFORM ${schema}.require_primary();
  SELECT * INTO v_guard FROM ${schema}.guard WHERE resource = p_resource;
  IF NOT FOUND THEN
    PERFORM ${schema}.refuse_missing(p_resource);
  END IF;
  IF v_guard.source IS DISTINCT FROM p_source THEN
    PERFORM ${schema}.refuse('ZF004', 'the guard belongs to another token source', v_guard);
  END IF;
  IF v_guard.lease_name IS DISTINCT FROM p_lease_name THEN
    PERFORM ${schema}.refuse('ZF005', 'the guard belongs to another lease name', v_guard);
  END IF;
  IF v_guard.token > p_token THEN
    PERFORM ${schema}.refuse('ZF002', 'a newer holder has sealed', v_guard);
  END IF;
  IF v_guard.timeline <> ${schema}.timeline_v1() THEN
    PERFORM ${schema}.refuse('ZF006', format('the database continues on timeline %s: seals may have been lost, '
      'so the holder must seal again', ${schema}.timeline_v1()), v_guard);
  END IF;
  IF v_guard.token IS DISTINCT FROM p_token THEN
    PERFORM ${schema}.refuse('ZF007', 'the guard carries a lower token: this grant has not sealed it', v_guard);
  END IF;
  IF v_guard.holder IS DISTINCT FROM p_holder THEN
    PERFORM ${schema}.refuse('ZF003', 'the guard carries the same token of another holder', v_guard);
  END IF;
  IF clock_timestamp() >= v_guard.sealed_at AND transaction_timestamp() < v_guard.sealed_at THEN
    PERFORM ${schema}.refuse('ZF008', 'this transaction began before the seal', v_guard);
  END IF;
  PERFORM ${schema}.refuse('ZF009', 'the clock of the server is behind the seal', v_guard);
END
$refuse_check$;

CREATE FUNCTION ${schema}.log_action(p_action text, p_guard ${schema}.guard, p_operator text, p_reason text) RETURNS void
  LANGUAGE plpgsql
AS $log_action$
BEGIN
  INSERT INTO ${schema}.seal_log
    (action, resource, source, lease_name, token, holder, label, timeline, operator, reason)
  VALUES (p_action, p_guard.resource, p_guard.source, p_guard.lease_name, p_guard.token, p_guard.holder,
    p_guard.label, p_guard.timeline, p_operator, p_reason);
END
$log_action$;

-- A trigger or a row security policy of somebody else's can swallow a change that was reported as done.
CREATE FUNCTION ${schema}.require_changed(p_wanted ${schema}.guard) RETURNS void
  LANGUAGE plpgsql
AS $require_changed$
BEGIN
  IF NOT EXISTS (SELECT FROM ${schema}.guard g WHERE g.resource = p_wanted.resource AND g = p_wanted) THEN
    RAISE EXCEPTION USING ERRCODE = 'ZF014',
      MESSAGE = format('the guard of resource "%s" does not carry what was written to it', p_wanted.resource),
      HINT = 'Look for triggers, rules and row security on the table ${schema}.guard that are not of fence.';
  END IF;
END
$require_changed$;

---------------------------------------------------------------------------------------------- what an application may --

-- Creates the guard of a resource, sealed by the given grant. False: it exists, bound to the same source and lease name.
-- p_confirmed_on: the timeline that was read before the lease service confirmed the holder. On any other, a former holder
-- could create anew a guard that its successor had sealed and the failover has lost.
CREATE FUNCTION ${schema}.create_v1(
  p_resource text, p_source text, p_lease_name text, p_token bigint, p_holder uuid, p_label text, p_wait_millis integer,
  p_confirmed_on bigint)
  RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $create_v1$
DECLARE
  v_guard ${schema}.guard;
  v_floor bigint;
BEGIN
  PERFORM ${schema}.begin_change(p_resource, p_wait_millis);
  SELECT * INTO v_guard FROM ${schema}.guard WHERE resource = p_resource;
  IF FOUND THEN
    IF v_guard.source IS DISTINCT FROM p_source THEN
      PERFORM ${schema}.refuse('ZF004', 'the guard belongs to another token source', v_guard);
    END IF;
    IF v_guard.lease_name IS DISTINCT FROM p_lease_name THEN
      PERFORM ${schema}.refuse('ZF005', 'the guard belongs to another lease name', v_guard);
    END IF;
    RETURN false;
  END IF;
  IF p_confirmed_on IS DISTINCT FROM ${schema}.timeline_v1() THEN
    RAISE EXCEPTION USING ERRCODE = 'ZF006', DETAIL = ${schema}.timeline_v1(),
      MESSAGE = format('resource "%s": the holder was confirmed on timeline %s, but the database continues on %s',
        p_resource, p_confirmed_on, ${schema}.timeline_v1());
  END IF;
  SELECT token INTO v_floor FROM ${schema}.creation_floor WHERE source = p_source;
  IF p_token <= v_floor THEN
    RAISE EXCEPTION USING ERRCODE = 'ZF010', DETAIL = v_floor,
      MESSAGE = format('resource "%s": a retired guard of source "%s" carried token %s', p_resource, p_source, v_floor);
  END IF;
  v_guard := ROW(p_resource, p_source, p_lease_name, p_token, p_holder, p_label, clock_timestamp(), ${schema}.timeline_v1());
  INSERT INTO ${schema}.guard SELECT v_guard.*;
  PERFORM ${schema}.require_changed(v_guard);
  PERFORM ${schema}.log_action('created', v_guard, NULL, NULL);
  RETURN true;
END
$create_v1$;

-- Raises the guard to the given grant. False: it carried that grant already. To be committed before the holder's first
-- read, in a transaction of its own: raised in the writing transaction, a write of the old holder can come between what
-- the new one reads and what it writes, and a rollback forgets the new token.
--
-- p_confirmed_on: the timeline that was read before the lease service confirmed the holder; null if it was not asked.
CREATE FUNCTION ${schema}.seal_v1(
  p_resource text, p_source text, p_lease_name text, p_token bigint, p_holder uuid, p_label text, p_wait_millis integer,
  p_confirmed_on bigint)
  RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $seal_v1$
DECLARE
  v_guard ${schema}.guard;
  v_timeline bigint;
  v_action text;
BEGIN
  PERFORM ${schema}.begin_change(p_resource, p_wait_millis);
  SELECT * INTO v_guard FROM ${schema}.guard WHERE resource = p_resource FOR UPDATE;
  IF NOT FOUND THEN
    PERFORM ${schema}.refuse_missing(p_resource);
  END IF;
  v_timeline := ${schema}.timeline_v1();

  IF v_guard.source IS DISTINCT FROM p_source THEN
    PERFORM ${schema}.refuse('ZF004', 'the guard belongs to another token source', v_guard);
  END IF;
  IF v_guard.lease_name IS DISTINCT FROM p_lease_name THEN
    PERFORM ${schema}.refuse('ZF005', 'the guard belongs to another lease name', v_guard);
  END IF;
  IF v_guard.token > p_token THEN
    PERFORM ${schema}.refuse('ZF002', 'a newer holder has sealed', v_guard);
  END IF;
  IF v_guard.token = p_token AND v_guard.holder IS DISTINCT FROM p_holder THEN
    PERFORM ${schema}.refuse('ZF003', 'the guard carries the same token of another holder', v_guard);
  END IF;
  IF v_guard.timeline <> v_timeline AND p_confirmed_on IS DISTINCT FROM v_timeline THEN
    PERFORM ${schema}.refuse('ZF006', format('the database continues on timeline %s: seals may have been lost, '
      'so the holder must be confirmed on it', v_timeline), v_guard);
  END IF;
  IF v_guard.token = p_token AND v_guard.timeline = v_timeline THEN
    RETURN false;
  END IF;

  v_action := CASE WHEN v_guard.token = p_token THEN 'resealed' ELSE 'sealed' END;
  v_guard.token := p_token;
  v_guard.holder := p_holder;
  v_guard.label := p_label;
  v_guard.timeline := v_timeline;
  -- Read after the lock was obtained, so every transaction that can have read the old holder's work began before it.
  v_guard.sealed_at := greatest(clock_timestamp(), v_guard.sealed_at);
  UPDATE ${schema}.guard g
    SET token = v_guard.token, holder = v_guard.holder, label = v_guard.label, timeline = v_guard.timeline,
      sealed_at = v_guard.sealed_at
    WHERE g.resource = p_resource;
  PERFORM ${schema}.require_changed(v_guard);
  PERFORM ${schema}.log_action(v_action, v_guard, NULL, NULL);
  RETURN true;
END
$seal_v1$;

-- Returns if this transaction may write to the resource under the given grant, and keeps it so until the transaction ends:
-- whoever seals waits for the lock that is taken here. Raises an error otherwise. A rollback to a savepoint that is older
-- than this call undoes it. p_idle_millis null: leaves the transaction's time-outs alone.
--
-- VOLATILE, and lock and read are two statements: the read must see what was committed while we waited for the lock.
--
-- At its end a note: which grant has passed for a resource, for the rest of the transaction, or until a rollback to a savepoint
-- that is older. A note is no proof of anything: whoever reads it checks the grant anew, and a forger would have to know the holder.
--
-- Of few queries and expressions, and without calls where all is well, since each is prepared anew in every transaction: that
-- is what a check costs.
CREATE FUNCTION ${schema}.check_v1(
  p_resource text, p_source text, p_lease_name text, p_token bigint, p_holder uuid, p_wait_millis integer,
  p_idle_millis integer)
  RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $check_v1$
DECLARE
  v_passes boolean;
  v_passed text;
  v_note text;
  v_ignored text;
BEGIN
  IF NOT pg_try_advisory_xact_lock_shared(${schema}.lock_key(p_resource)) THEN -- a try never overtakes a waiting sealer
    PERFORM ${schema}.take_lock(p_resource, false, p_wait_millis);
  END IF;
  IF p_idle_millis > 0 AND current_setting('idle_in_transaction_session_timeout') = '0'
    AND current_setting('transaction_timeout', true) = '0'
  THEN
    v_ignored := set_config('idle_in_transaction_session_timeout', p_idle_millis || 'ms', true)
      || set_config('transaction_timeout', p_idle_millis || 'ms', true);
  ELSIF p_idle_millis IS NOT NULL THEN
    PERFORM ${schema}.limit_transaction(p_idle_millis);
  END IF;
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    PERFORM ${schema}.require_primary();
    -- The snapshot can be older than the lock: the row lock fails with 40001 if the row was changed since.
    PERFORM FROM ${schema}.guard WHERE resource = p_resource FOR SHARE;
  END IF;
  SELECT CASE WHEN current_setting('transaction_read_only') = 'off' THEN
      g.source = p_source AND g.lease_name = p_lease_name AND g.token = p_token AND g.holder = p_holder
        -- A standby that was promoted too early has a guard that fell: whoever matches it may be long superseded.
        AND g.timeline = ${schema}.timeline_v1()
        -- What this transaction read before the seal can have been changed by the old holder since.
        AND g.sealed_at <= transaction_timestamp()
      END
    INTO v_passes FROM ${schema}.guard g WHERE g.resource = p_resource;
  IF v_passes IS NOT TRUE THEN
    PERFORM ${schema}.refuse_check(p_resource, p_source, p_lease_name, p_token, p_holder);
  END IF;

  v_passed := coalesce(current_setting('fence.passed', true), '');
  v_note := concat_ws(E'\t', p_resource, p_source, p_lease_name, p_token, p_holder) || E'\n';
  IF position(v_note IN v_passed) = 0 THEN
    v_ignored := set_config('fence.passed', v_note || v_passed, true);
  END IF;
END
$check_v1$;

------------------------------------------------------------------------------------------------- what an operator may --

-- Removes the guard of a resource that is no longer used. Its token stays as the creation floor of its source.
CREATE FUNCTION ${schema}.retire_v1(p_resource text, p_operator text, p_reason text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $retire_v1$
DECLARE
  v_guard ${schema}.guard;
BEGIN
  PERFORM ${schema}.begin_change(p_resource, 10000);
  SELECT * INTO v_guard FROM ${schema}.guard WHERE resource = p_resource FOR UPDATE;
  IF NOT FOUND THEN
    PERFORM ${schema}.refuse_missing(p_resource);
  END IF;
  INSERT INTO ${schema}.creation_floor AS f (source, token) VALUES (v_guard.source, v_guard.token)
    ON CONFLICT (source) DO UPDATE SET token = greatest(f.token, excluded.token);
  PERFORM ${schema}.log_action('retired', v_guard, p_operator, p_reason);
  DELETE FROM ${schema}.guard WHERE resource = p_resource;
END
$retire_v1$;

-- Binds a guard anew, to a source, lease name and token of the operator's choice, which may be lower. Every present grant
-- is refused from here on; the next seal needs a higher token than the one given. Dangerous: an older holder whose
-- token is above it can come back.
CREATE FUNCTION ${schema}.override_v1(
  p_resource text, p_source text, p_lease_name text, p_token bigint, p_operator text, p_reason text)
  RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $override_v1$
DECLARE
  v_guard ${schema}.guard;
BEGIN
  PERFORM ${schema}.begin_change(p_resource, 10000);
  SELECT * INTO v_guard FROM ${schema}.guard WHERE resource = p_resource FOR UPDATE;
  IF NOT FOUND THEN
    PERFORM ${schema}.refuse_missing(p_resource);
  END IF;
  v_guard := ROW(p_resource, p_source, p_lease_name, p_token, gen_random_uuid(), 'override', clock_timestamp(),
    ${schema}.timeline_v1());
  PERFORM ${schema}.log_action('overridden', v_guard, p_operator, p_reason);
  UPDATE ${schema}.guard g
    SET source = v_guard.source, lease_name = v_guard.lease_name, token = v_guard.token, holder = v_guard.holder,
      label = v_guard.label, sealed_at = v_guard.sealed_at, timeline = v_guard.timeline
    WHERE g.resource = p_resource;
  PERFORM ${schema}.require_changed(v_guard);
END
$override_v1$;

------------------------------------------------------------------------------------------------------------- rights --

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${schema} FROM PUBLIC;

GRANT USAGE ON SCHEMA ${schema} TO ${application}, ${operator};
GRANT EXECUTE ON FUNCTION
  ${schema}.timeline_v1(),
  ${schema}.create_v1(text, text, text, bigint, uuid, text, integer, bigint),
  ${schema}.seal_v1(text, text, text, bigint, uuid, text, integer, bigint),
  ${schema}.check_v1(text, text, text, bigint, uuid, integer, integer)
  TO ${application};
GRANT EXECUTE ON FUNCTION
  ${schema}.retire_v1(text, text, text),
  ${schema}.override_v1(text, text, text, bigint, text, text)
  TO ${operator};
GRANT SELECT ON ${schema}.guard, ${schema}.seal_log, ${schema}.creation_floor TO ${operator};

SELECT pg_catalog.set_config('role', pg_catalog.current_setting('fence.migrating_role'), true);
