-- Lists show the title of each version. Postgres would read and parse each whole definition to find it. This statement does that once for
-- each version, and changes of flows wait until then.
alter table flow_versions add column title text generated always as (definition ->> 'title') stored;
-- Every flow has a version 1, because rows are never removed. So this index has the names of all flows.
create index flow_versions_names on flow_versions (tenant, name) where version = 1;
create index flow_versions_newest on flow_versions (tenant, name, version desc) where deleted_at is null;
-- To list the transactions with an outcome, newest first, also if the outcome is rare.
create index transactions_by_outcome on transactions (tenant, flow_outcome, created_at desc, id desc)
  where flow_outcome is not null;
-- To list the flow runs that are completed, or that have an outcome, newest first. A flow run can have an outcome that is no step: NotDecided.
create index flow_runs_completed on flow_runs (tenant, flow, version, started_at) where status = 'Completed';
create index flow_runs_by_outcome on flow_runs (tenant, flow, version, outcome, started_at) where outcome is not null;
