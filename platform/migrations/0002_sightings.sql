-- The graph of links: one row per transaction in each circle of tenants that may see it.
create table sightings (
  -- 'tenant/<name>', or 'shared' for all tenants that share their history.
  circle text not null,
  tenant text not null,
  transaction_id text not null,
  at timestamptz not null,
  -- Keyed hashes of circle, variable and value, 128 bits each: values of two circles cannot be matched, and none can be read.
  document uuid,
  phone uuid,
  email uuid,
  zip_code uuid,
  card uuid,
  name uuid,
  session uuid,
  identifier uuid,
  -- What the person did. These only turn from false to true.
  phone_confirmed boolean not null default false,
  email_confirmed boolean not null default false,
  denied boolean not null default false,
  primary key (circle, tenant, transaction_id)
);
-- The newest of one value. A hash holds its circle, so the circle need not stand in the index.
create index sightings_by_document on sightings (document, at desc) where document is not null;
create index sightings_by_phone on sightings (phone, at desc) where phone is not null;
create index sightings_by_email on sightings (email, at desc) where email is not null;
create index sightings_by_zip_code on sightings (zip_code, at desc) where zip_code is not null;
create index sightings_by_card on sightings (card, at desc) where card is not null;
create index sightings_by_name on sightings (name, at desc) where name is not null;
create index sightings_by_session on sightings (session, at desc) where session is not null;
create index sightings_by_identifier on sightings (identifier, at desc) where identifier is not null;
-- Whoever confirmed or denied is found however much has come since.
create index sightings_denied_by_document on sightings (document, at desc) where denied;
create index sightings_denied_by_phone on sightings (phone, at desc) where denied;
create index sightings_denied_by_email on sightings (email, at desc) where denied;
create index sightings_confirmed_by_document on sightings (document, at desc) where phone_confirmed or email_confirmed;
