-- To find runs by where they went and when they ended, the newest first, without reading what others did.
create table flow_run_steps (
  run_id text not null references flow_runs on delete cascade,
  tenant text not null,
  flow text not null,
  version integer not null,
  -- Entered once or more.
  step text not null,
  started_at timestamptz not null,
  primary key (run_id, step)
);

-- Later ones are written with the record.
insert into flow_run_steps (run_id, tenant, flow, version, step, started_at)
select distinct run.id, run.tenant, run.flow, run.version, stay ->> 'step', run.started_at
from flow_runs as run cross join lateral json_array_elements(run.path) as stay;

create index flow_run_steps_newest on flow_run_steps (tenant, flow, version, step, started_at, run_id);
create index flow_runs_running on flow_runs (tenant, flow, version, step, started_at) where status = 'Running';
create index flow_runs_going_on on flow_runs (tenant, flow, version, started_at) where status = 'Running';
create index flow_runs_canceled on flow_runs (tenant, flow, version, started_at) where status = 'Canceled';
create index flow_runs_by_end on flow_runs (tenant, flow, version, ended_at) include (status, outcome)
  where ended_at is not null;
