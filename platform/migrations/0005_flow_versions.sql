-- Flows by version. What ran by a version was decided by it, so its row never changes and its number is never given again.
create table flow_versions (
  -- '*' for the flows of the code, which every tenant has. No tenant can be called so.
  tenant text not null,
  -- Callers page through names: their order is the same on every server.
  name text collate "C" not null,
  version integer not null check (version > 0),
  -- Without the version. json and not jsonb: its author reads the steps in the order in which they were written.
  definition json not null,
  -- Of the definition, whatever the order of its fields: equal ones are one version.
  digest text not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  -- Since when nobody can ask for it. The row stays, and its number with it.
  deleted_at timestamptz,
  deleted_by text,
  primary key (tenant, name, version)
);

create function keep_flow_version() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.deleted_at is null and new.deleted_at is not null
    and (new.tenant, new.name, new.version, new.definition::text, new.digest, new.created_at, new.created_by)
      = (old.tenant, old.name, old.version, old.definition::text, old.digest, old.created_at, old.created_by)
  then
    return new;
  end if;
  raise exception 'a version of a flow can be marked as deleted, and never change' using errcode = 'restrict_violation';
end
$$;
create trigger flow_versions_are_kept before update or delete on flow_versions
  for each row execute function keep_flow_version();

-- What was made active, one after the other: the newest row of a flow tells its active version.
create table flow_activations (
  id bigserial primary key,
  tenant text not null,
  name text collate "C" not null,
  version integer not null,
  activated_at timestamptz not null default now(),
  activated_by text not null,
  -- Where a rollback from here leads. Rolling back twice goes back two, not there and back.
  earlier bigint references flow_activations,
  foreign key (tenant, name, version) references flow_versions
);
create index flow_activations_by_flow on flow_activations (tenant, name, id);

-- Answers to changes that came with an Idempotency-Key, for the day in which they may be repeated.
create table flow_requests (
  tenant text not null,
  key text not null,
  digest text not null,
  answer json,
  at timestamptz not null default now(),
  primary key (tenant, key)
);
create index flow_requests_by_age on flow_requests (at);
