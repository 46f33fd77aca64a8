-- Runs of flows as they stand in records, to count and find them. Written with the record.
create table flow_runs (
  id text primary key,
  tenant text not null,
  transaction_id text not null,
  flow text not null,
  version integer not null,
  status text not null,
  -- Where it is, or where it ended.
  step text not null,
  outcome text,
  -- Stays in steps, oldest first: [{ step, exit }].
  path json not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  foreign key (tenant, transaction_id) references transactions (tenant, id) on delete cascade
);
create index flow_runs_by_flow on flow_runs (tenant, flow, version, started_at);
create index flow_runs_by_transaction on flow_runs (tenant, transaction_id);
