-- When the workflow of a transaction must have changed the record without a command, such as at the expiry of a code. A record that stays
-- due has lost its workflow, or its workflow is behind the record. Null if only a command can change the transaction.
alter table transactions add column due_at timestamptz;
-- Only a few transactions wait for something, so this index is small.
create index transactions_due on transactions (due_at) where due_at is not null and erased_at is null;
-- Earlier versions have saved no time. Their running flow runs are checked once, and then at the times that their next records name.
update transactions set due_at = now() where erased_at is null and exists (
  select from flow_runs
  where flow_runs.tenant = transactions.tenant and transaction_id = transactions.id and flow_runs.status = 'Running');
