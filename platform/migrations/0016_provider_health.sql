-- When a provider first reported that the message was delivered, by the clock of the database. Null: not yet, or an API of an earlier release
-- saved the report. From it follows whether a provider is slow.
alter table sends add column delivered_at timestamptz;
-- The newest messages of all tenants. A row is added at the end of the index, and its other columns change without it.
create index sends_by_time on sends (created_at);

-- Providers that fail or are slow for one country, as one worker sees them. `tenant`: whose provider it is. `*`: the service.
create table provider_states (
  tenant text not null,
  channel text not null,
  provider text not null,
  -- Dial code. Empty for e-mail.
  country text not null,
  -- The process. Each has its own breakers.
  worker text not null,
  -- failing or slow.
  state text not null,
  since timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant, channel, provider, country, worker)
);

-- The requests of each tenant to providers, in steps of five minutes, for two hours.
create table provider_counts (
  tenant text not null,
  at timestamptz not null,
  channel text not null,
  provider text not null,
  country text not null,
  accepted integer not null,
  refused integer not null,
  unknown integer not null,
  primary key (tenant, at, channel, provider, country)
);

-- The messaging settings of tenants with accounts of their own, encrypted with a key of the tenant.
create table own_messaging (
  tenant text primary key,
  sealed bytea not null,
  version uuid not null default gen_random_uuid(),
  updated_at timestamptz(3) not null default now()
);

do $$
declare name text;
begin
  foreach name in array array['provider_states', 'provider_counts', 'own_messaging']
  loop
    execute format('alter table %I enable row level security, force row level security', name);
    execute format('create policy one_tenant on %I using (current_setting(''countersign.tenant'', true) in (''*'', tenant))', name);
  end loop;
end $$;

-- Every tenant can read the states of the providers of the service.
create policy providers_of_the_service on provider_states for select
  using (tenant = '*' and current_setting('countersign.tenant', true) <> '');
