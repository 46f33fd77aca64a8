-- When the workflow of a transaction must have changed the record without a command, such as at the expiry of a code. A record that stays
-- due has lost its workflow, or its workflow is behind the record. Null if only a command can change the transaction.
alter table transactions add column due_at timestamptz;
-- Only a few transactions wait for something, so this index is small.
create index transactions_due on transactions (due_at) where due_at is not null and erased_at is null;
-- Earlier versions have saved no time. Their running flow runs are checked once, and then at the times that their next records name.
update transactions set due_at = now() where erased_at is null and exists (
  select from flow_runs
  where flow_runs.tenant = transactions.tenant and transaction_id = transactions.id and flow_runs.status = 'Running');

-- What is known about a transaction without a data key. `erased`: its data was erased. `saved`: it has a record, so its key is missing, for
-- example because an older backup of the table data_keys was restored. `unknown`: it has no row.
create function data_state(tenant_name text, transaction_id text) returns text language sql stable as $$
  select coalesce(
    (select case when erased_at is null then 'saved' else 'erased' end from transactions
      where tenant = tenant_name and id = transaction_id),
    'unknown');
$$;
