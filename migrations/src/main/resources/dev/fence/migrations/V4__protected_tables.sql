-- Tables on which the database itself refuses what is not fenced. docs/postgresql.md tells the protocol. To be run as
-- version 1 was; it only adds to it. Its triggers read the notes that check_v1 leaves.

SELECT pg_catalog.set_config('fence.migrating_role', pg_catalog.current_setting('role'), true);
SET LOCAL ROLE ${owner};

-- What a table that only reports would have refused; once for each transaction, table and reason.
CREATE TABLE ${schema}.unfenced_write (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  database_user text NOT NULL DEFAULT session_user,
  application_name text NOT NULL DEFAULT current_setting('application_name'),
  table_name text NOT NULL,
  resource text,
  sqlstate text NOT NULL,
  message text NOT NULL
);
COMMENT ON TABLE ${schema}.unfenced_write IS 'fence: what protected tables that only report would have refused';

CREATE FUNCTION ${schema}.require_checked(p_table regclass, p_resource text, p_wait_millis integer) RETURNS void
  LANGUAGE plpgsql
AS $require_checked$
DECLARE
  v_passed text := E'\n' || coalesce(current_setting('fence.passed', true), '');
  v_at integer := position(E'\n' || p_resource || E'\t' IN v_passed);
  v_grant text[];
BEGIN
  IF p_resource IS NULL OR v_at = 0 THEN
    RAISE EXCEPTION USING ERRCODE = 'ZF016',
      MESSAGE = format('table %s is protected: %s', p_table, CASE WHEN p_resource IS NULL
        THEN 'the row belongs to no resource'
        ELSE format('this transaction has not passed the check of resource "%s"', p_resource) END),
      HINT = 'Write through a fenced writer, join the transaction, or call ${schema}.check_v1 in it.';
  END IF;
  v_grant := string_to_array(split_part(substr(v_passed, v_at + 1), E'\n', 1), E'\t');
  PERFORM ${schema}.check_v1(p_resource, v_grant[2], v_grant[3], v_grant[4]::bigint, v_grant[5]::uuid, p_wait_millis, NULL);
END
$require_checked$;

-- Returns if a check of the resource has passed in this transaction and would pass now, and keeps it so until the transaction
-- ends: the grant that was noted is checked in full, under the lock. Where the write that called this is rolled back to a
-- savepoint, so is the lock that was taken for it; a write that stays keeps its own.
--
-- For triggers, which run as whoever writes.
CREATE FUNCTION ${schema}.require_checked_v1(p_table regclass, p_resource text, p_report_only boolean) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $require_checked_v1$
BEGIN
  IF NOT p_report_only THEN
    PERFORM ${schema}.require_checked(p_table, p_resource, 2000);
    RETURN;
  END IF;
  BEGIN
    PERFORM ${schema}.require_checked(p_table, p_resource, 1);
  EXCEPTION WHEN OTHERS THEN
    PERFORM ${schema}.report_unfenced(p_table, p_resource, SQLSTATE, SQLERRM);
  END;
END
$require_checked_v1$;

CREATE FUNCTION ${schema}.report_unfenced(p_table regclass, p_resource text, p_sqlstate text, p_message text) RETURNS void
  LANGUAGE plpgsql
AS $report_unfenced$
DECLARE
  v_reported text := coalesce(current_setting('fence.reported', true), '');
  v_report text := p_table::oid || p_sqlstate || E'\n';
BEGIN
  IF position(v_report IN v_reported) = 0 THEN
    INSERT INTO ${schema}.unfenced_write (table_name, resource, sqlstate, message)
      VALUES (p_table::text, p_resource, p_sqlstate, p_message);
    PERFORM set_config('fence.reported', v_reported || v_report, true);
  END IF;
END
$report_unfenced$;

-- After the row, when all other triggers have made of it what they will. Arguments: whether it only reports; the resource of
-- the whole table, or what stands before the column's value in the name of a row's resource; the column.
CREATE FUNCTION ${schema}.require_checked_row() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $require_checked_row$
DECLARE
  v_old text;
  v_new text;
BEGIN
  IF TG_NARGS = 2 THEN
    PERFORM ${schema}.require_checked_v1(TG_RELID, TG_ARGV[1], TG_ARGV[0]::boolean);
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    v_old := TG_ARGV[1] || (to_jsonb(OLD) ->> TG_ARGV[2]);
    PERFORM ${schema}.require_checked_v1(TG_RELID, v_old, TG_ARGV[0]::boolean);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    v_new := TG_ARGV[1] || (to_jsonb(NEW) ->> TG_ARGV[2]);
    IF TG_OP = 'INSERT' OR v_new IS DISTINCT FROM v_old THEN
      PERFORM ${schema}.require_checked_v1(TG_RELID, v_new, TG_ARGV[0]::boolean);
    END IF;
  END IF;
  RETURN NULL;
END
$require_checked_row$;

-- Where rows belong to resources of their own, nobody holds all of them.
CREATE FUNCTION ${schema}.require_checked_truncate() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $require_checked_truncate$
BEGIN
  PERFORM ${schema}.require_checked_v1(TG_RELID, CASE WHEN TG_NARGS = 2 THEN TG_ARGV[1] END, TG_ARGV[0]::boolean);
  RETURN NULL;
END
$require_checked_truncate$;

------------------------------------------------------------------------------ what the owner of a table may do with it --

CREATE FUNCTION ${schema}.unprotect_v1(p_table regclass) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $unprotect_v1$
DECLARE
  v_part regclass;
BEGIN
  EXECUTE format('DROP TRIGGER IF EXISTS fence_row ON %s', p_table);
  FOR v_part IN SELECT p_table UNION SELECT relid FROM pg_partition_tree(p_table) LOOP
    EXECUTE format('DROP TRIGGER IF EXISTS fence_truncate ON %s', v_part);
  END LOOP;
END
$unprotect_v1$;

CREATE FUNCTION ${schema}.protect_with(p_table regclass, p_arguments text) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $protect_with$
DECLARE
  v_part regclass;
BEGIN
  IF (SELECT relkind FROM pg_class WHERE oid = p_table) NOT IN ('r', 'p') THEN
    RAISE EXCEPTION USING ERRCODE = 'wrong_object_type',
      MESSAGE = format('%s is neither an ordinary nor a partitioned table', p_table);
  END IF;
  PERFORM ${schema}.unprotect_v1(p_table);
  -- Partitions get it too, and so do those that are made or attached later. A truncation has no rows: see below.
  EXECUTE format('CREATE TRIGGER fence_row AFTER INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW'
    ' EXECUTE FUNCTION ${schema}.require_checked_row(%s)', p_table, p_arguments);
  FOR v_part IN SELECT p_table UNION SELECT relid FROM pg_partition_tree(p_table) LOOP
    EXECUTE format('CREATE TRIGGER fence_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT'
      ' EXECUTE FUNCTION ${schema}.require_checked_truncate(%s)', v_part, p_arguments);
    -- ALWAYS: session_replication_role = replica does not switch them off.
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER fence_row, ENABLE ALWAYS TRIGGER fence_truncate', v_part);
  END LOOP;
END
$protect_with$;

-- From here on the table can be changed by transactions only that have passed the check of this resource. Again, with other
-- arguments: changes it. After partitions were added: covers the truncation of these, too.
CREATE FUNCTION ${schema}.protect_v1(p_table regclass, p_resource text, p_report_only boolean) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $protect_v1$
BEGIN
  IF p_resource IS NULL OR octet_length(p_resource) NOT BETWEEN 1 AND 255 OR p_resource ~ '[[:cntrl:]]' THEN
    RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value',
      MESSAGE = format('"%s" is no name of a resource: 1 to 255 bytes without control characters', p_resource);
  END IF;
  PERFORM ${schema}.protect_with(p_table, format('%L, %L', p_report_only, p_resource));
END
$protect_v1$;

-- The same, but each row belongs to the resource that is named by p_prefix and the value of p_column, a text, a whole number
-- or a uuid.
CREATE FUNCTION ${schema}.protect_rows_v1(p_table regclass, p_prefix text, p_column name, p_report_only boolean)
  RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $protect_rows_v1$
DECLARE
  v_type regtype := (SELECT atttypid FROM pg_attribute
    WHERE attrelid = p_table AND attname = p_column AND attnum > 0 AND NOT attisdropped);
BEGIN
  IF v_type IS NULL OR v_type NOT IN ('text', 'varchar', 'smallint', 'integer', 'bigint', 'uuid') THEN
    RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value',
      MESSAGE = format('column "%s" of %s is %s: a text, a whole number or a uuid can name a resource',
        p_column, p_table, coalesce(v_type::text, 'missing'));
  END IF;
  PERFORM ${schema}.protect_with(p_table, format('%L, %L, %L', p_report_only, coalesce(p_prefix, ''), p_column));
END
$protect_rows_v1$;

------------------------------------------------------------------------------------------------------------- rights --

REVOKE ALL ON FUNCTION
  ${schema}.require_checked(regclass, text, integer),
  ${schema}.report_unfenced(regclass, text, text, text)
  FROM PUBLIC;
-- Whoever writes to a protected table is refused for want of a check, not for want of rights; there is nothing else in the
-- schema that everybody may call. Protecting a table takes its owner.
GRANT USAGE ON SCHEMA ${schema} TO PUBLIC;
GRANT SELECT, DELETE ON ${schema}.unfenced_write TO ${operator};

SELECT pg_catalog.set_config('role', pg_catalog.current_setting('fence.migrating_role'), true);
