-- How the persons of a tenant see the service. A tenant without a row has the brand of the settings of the service.
create table brands (
  tenant text primary key,
  -- Identifies the logo in its public address, which must not reveal the tenant. Mails keep this address, so it never changes.
  public_id uuid not null unique default gen_random_uuid(),
  -- BrandSettings (domain/brand/brand.ts).
  settings jsonb not null,
  -- The logo as PNG, which the service has made from the pixels of the uploaded image.
  logo bytea,
  logo_width integer,
  logo_height integer,
  -- Increases with each change, so that two persons do not overwrite each other's changes.
  version integer not null default 1,
  changed_at timestamptz(3) not null default now(),
  changed_by text not null,
  check (num_nulls(logo, logo_width, logo_height) in (0, 3))
);

alter table brands enable row level security, force row level security;
create policy one_tenant on brands using (current_setting('countersign.tenant', true) in ('*', tenant));
