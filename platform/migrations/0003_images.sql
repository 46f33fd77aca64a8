-- One key per owner, wrapped. The images of an owner whose row is gone can be read by no one, wherever copies of them are.
create table image_keys (
  tenant text not null,
  owner text not null,
  wrapped bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant, owner)
);

-- One row per image. It is written before its object and outlives it, so that no object is ever without a row.
create table images (
  id uuid primary key,
  tenant text not null,
  owner text not null,
  kind text not null,
  -- How many, unsealed.
  bytes integer not null,
  created_at timestamptz not null default now(),
  delete_after timestamptz not null,
  -- Since when its object lies in the store: there is nothing to read before.
  stored_at timestamptz,
  -- Since when it can be read no more.
  deleted_at timestamptz,
  -- Since when its object is gone too. Until then, removing it is tried again.
  removed_at timestamptz,
  tried_at timestamptz
);
create index images_by_owner on images (tenant, owner) where removed_at is null;
create index images_due on images (delete_after) where deleted_at is null;
create index images_to_remove on images (tried_at nulls first) where deleted_at is not null and removed_at is null;

-- Images on their way in, in parts.
create table uploads (
  id uuid primary key,
  tenant text not null,
  owner text not null,
  kind text not null,
  size integer not null,
  received integer not null default 0,
  created_at timestamptz not null default now(),
  -- It has no parts any more, and stands until it is swept: the key it used is looked at then.
  taken_at timestamptz
);
create index uploads_by_owner on uploads (tenant, owner);
create index uploads_by_age on uploads (created_at);

create table upload_parts (
  upload_id uuid not null references uploads on delete cascade,
  at_offset integer not null,
  -- How many, unsealed.
  size integer not null,
  bytes bytea not null,
  primary key (upload_id, at_offset)
);
-- Parts are encrypted: trying to compress them only costs time.
alter table upload_parts alter column bytes set storage external;

-- What was done with what belongs to an owner. It holds no personal data and is only added to.
create table audit_log (
  id bigserial primary key,
  at timestamptz not null default now(),
  tenant text not null,
  owner text not null,
  actor text not null,
  action text not null,
  detail jsonb not null
);
create index audit_log_by_owner on audit_log (tenant, owner, at);
