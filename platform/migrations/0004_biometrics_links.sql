-- Links by the hash of their token, and what awaits a reviewer. Written with the record, from what stands in it.
create table biometrics_links (
  id text primary key,
  tenant text not null,
  transaction_id text not null,
  token_hash text not null unique,
  -- As it was last recorded: a link whose time is over may still say that it waits.
  status text not null,
  submitted_at timestamptz,
  foreign key (tenant, transaction_id) references transactions (tenant, id) on delete cascade
);
create index biometrics_links_by_transaction on biometrics_links (tenant, transaction_id);
create index biometrics_links_in_review on biometrics_links (tenant, submitted_at, id) where status = 'Processing';

-- What became of an upload that was taken: a repeat of its last chunk is answered by it.
alter table uploads add column settled jsonb;

-- Entries of the same instant stand in the order in which they were written.
drop index audit_log_by_owner;
create index audit_log_by_owner on audit_log (tenant, owner, id);
