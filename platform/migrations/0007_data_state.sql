-- What is known about a transaction without a data key. `erased`: its data was erased. `saved`: it has a record, so its key is missing, for
-- example because an older backup of the table data_keys was restored. `unknown`: it has no row.
create or replace function data_state(tenant_name text, transaction_id text) returns text language sql stable as $$
  select coalesce(
    (select case when erased_at is null then 'saved' else 'erased' end from transactions
      where tenant = tenant_name and id = transaction_id),
    'unknown');
$$;
