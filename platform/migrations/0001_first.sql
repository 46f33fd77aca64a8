-- The whole schema but that of the job queue. Each table has one owner in the code: see test/platform/sql-owners.test.ts.

-- Transactions and what is found by them ------------------------------------------------------------------------

-- One row per transaction: its whole state, which only rises in version.
create table transactions (
  tenant text not null,
  id text not null,
  version integer not null,
  -- json and not jsonb: fields keep the order in which they were given, so that a read of the record is the read of the workflow.
  state json not null,
  changed_at timestamptz not null default now(),
  primary key (tenant, id)
);

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
create index flow_runs_running on flow_runs (tenant, flow, version, step, started_at) where status = 'Running';
create index flow_runs_going_on on flow_runs (tenant, flow, version, started_at) where status = 'Running';
create index flow_runs_canceled on flow_runs (tenant, flow, version, started_at) where status = 'Canceled';
create index flow_runs_by_end on flow_runs (tenant, flow, version, ended_at) include (status, outcome)
  where ended_at is not null;

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
create index flow_run_steps_newest on flow_run_steps (tenant, flow, version, step, started_at, run_id);

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

-- Messages ------------------------------------------------------------------------------------------------------

-- One row per message out. It is written before the provider is asked, so that an unknown outcome can be reconciled.
create table sends (
  send_id text primary key,
  tenant text not null,
  transaction_id text not null,
  confirmation_id text not null,
  flow text not null,
  channel text not null,
  kind text not null,
  -- Keyed hash of the phone or mailbox.
  destination text not null,
  -- intent: not asked yet; dispatching: asked, outcome unknown; accepted; failed
  state text not null default 'intent',
  provider_id text unique,
  -- The furthest status the provider has told.
  provider_status text,
  provider_code text,
  -- Why it will never go out, as a failure type of ours; the provider's later reports do not set it.
  failure text,
  created_at timestamptz not null default now(),
  -- How often the provider was asked: an attempt may speak for the row only while this is its own number.
  dispatches integer not null default 0,
  dispatched_at timestamptz,
  expires_at timestamptz not null
);
create index sends_by_destination on sends (destination, created_at desc);

-- What was decided on every value tried on a phone or mailbox, so that a repeated claim gets the same decision.
create table guesses (
  destination text not null,
  claim_id text not null,
  granted boolean not null,
  -- Whether it counts against the budget: wrong values that were let through.
  charged boolean not null,
  at timestamptz not null default now(),
  primary key (destination, claim_id)
);
create index guesses_by_time on guesses (destination, at) where charged;
-- What is past its time is looked for every hour.
create index guesses_by_age on guesses (at);

-- Phones and mailboxes whose owner wants no messages.
create table opt_outs (
  destination text not null,
  channel text not null,
  at timestamptz not null default now(),
  primary key (destination, channel)
);

-- What providers reported, until it is worked on; after that the id alone, so that a repeat is known.
create table provider_events (
  event_id text primary key,
  kind text not null,
  payload jsonb not null,
  received_at timestamptz not null default now(),
  done_at timestamptz,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now()
);
create index provider_events_waiting on provider_events (next_attempt_at) where done_at is null;
create index provider_events_done on provider_events (done_at) where done_at is not null;

-- Flows ---------------------------------------------------------------------------------------------------------

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

-- Images and the audit log --------------------------------------------------------------------------------------

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
  taken_at timestamptz,
  -- What became of an upload that was taken: a repeat of its last chunk is answered by it.
  settled jsonb
);
create index uploads_by_owner on uploads (tenant, owner);
create index uploads_by_age on uploads (created_at);

-- The parts of an upload, sealed, until it is taken.
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
-- Entries of the same instant stand in the order in which they were written.
create index audit_log_by_owner on audit_log (tenant, owner, id);

-- Callers -------------------------------------------------------------------------------------------------------

-- Who may call. Secrets are kept as SHA-256; they are random and long, so a slow hash adds nothing.
create table clients (
  client_id text primary key,
  tenant text not null,
  secret_hash text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
