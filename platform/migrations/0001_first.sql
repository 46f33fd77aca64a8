-- The schema. Only one file or folder of the code uses each table: see test/platform/sql-owners.test.ts.

-- The secret from which the keys for hashes, codes and links are derived. It is encrypted with a service key. The table has one row.
create table root_secret (
  id boolean primary key default true check (id),
  -- The id of the service key.
  key_id text not null,
  wrapped bytea not null,
  -- COUNTERSIGN_ENV of the first process that opened the database. Only processes of this environment may use it.
  environment text
);

-- The keys that encrypt the data of transactions. Each key is encrypted with a service key. When a row is deleted, the data of its
-- transaction is unreadable, also in histories of workflows and in backups.
create table data_keys (
  tenant text not null,
  -- Id of the transaction. For events of providers, the day on which they arrived.
  owner text not null,
  -- What the key encrypts. transaction: the record and the workflow. images: images and uploads, which are erased earlier.
  -- providerEvents: events of providers, such as replies of persons, until they are processed.
  purpose text not null,
  -- The id of the service key that encrypts the key.
  key_id text not null,
  wrapped bytea not null,
  -- The keyed hash of the person's document, to find all transactions of a person. Only for keys with the purpose `transaction`.
  document_hash uuid,
  -- With milliseconds only, so that a page of a list can continue after a time in ISO 8601.
  created_at timestamptz(3) not null default now(),
  primary key (tenant, owner, purpose)
);
create index data_keys_by_document on data_keys (tenant, document_hash, created_at, owner) where document_hash is not null;
create index data_keys_by_service_key on data_keys (key_id);
-- For the retention.
create index data_keys_by_age on data_keys (created_at) where purpose = 'transaction';

-- Transactions and their derived data ---------------------------------------------------------------------------

-- One row per transaction. The version only increases.
create table transactions (
  tenant text not null,
  id text not null,
  version integer not null,
  -- The whole state as JSON, encrypted with the data key of the transaction. Null after its erasure.
  sealed bytea,
  changed_at timestamptz not null default now(),
  -- The workflow run that saved the record: one execution of the workflow, until it ends or continues with an empty history. Another
  -- workflow run may overwrite the record only if it continues from the version of this record. Null if the transaction was erased before
  -- it had a record.
  run_id text,
  -- What the person has confirmed or denied, for the link graph.
  phone_confirmed boolean not null default false,
  email_confirmed boolean not null default false,
  denied boolean not null default false,
  -- For lists. Null if the transaction was erased before it had a record. With milliseconds only, so that a page of a list can continue
  -- after a time in ISO 8601.
  created_at timestamptz(3),
  -- The status that callers read. Null after the erasure, like the flow and its outcome.
  status text,
  -- The flow of the newest flow run that is still running. If none is running, the flow of the newest flow run. Null without a flow run.
  flow text,
  -- The outcome of this flow run. Null while it is running.
  flow_outcome text,
  -- When all data of the transaction was erased. The row stays, so that its id is never used again.
  erased_at timestamptz,
  primary key (tenant, id)
);
-- Encrypted states cannot be compressed.
alter table transactions alter column sealed set storage external;
-- For the retention.
create index transactions_by_age on transactions (changed_at) where erased_at is null;
-- For lists of transactions, newest first: of all transactions, of one status, and of one flow.
create index transactions_newest on transactions (tenant, created_at desc, id desc) where erased_at is null;
create index transactions_by_status on transactions (tenant, status, created_at desc, id desc) where erased_at is null;
create index transactions_by_flow on transactions (tenant, flow, created_at desc, id desc) where flow is not null;

-- Whether a transaction is erased. First takes a shared lock, and keeps it until the database transaction ends. An erasure waits for this
-- lock, so the erasure finds everything that this database transaction writes after the check. If an erasure is running, the shared lock
-- waits for its end. The select then sees the erasure, because the select has its own snapshot.
create function is_erased(tenant_name text, transaction_id text) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('erasure/' || tenant_name || '/' || transaction_id, 0));
  return exists (
    select from transactions where tenant = tenant_name and id = transaction_id and erased_at is not null);
end $$;
create function lock_erasure(tenant_name text, transaction_id text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('erasure/' || tenant_name || '/' || transaction_id, 0));
$$;

-- Biometrics links, to find a link by the hash of its token, and to find the links that wait for a reviewer. The rows are derived from the
-- record, and are written together with it.
create table biometrics_links (
  id text primary key,
  tenant text not null,
  transaction_id text not null,
  token_hash text not null unique,
  -- The last saved status. A link that has expired since then may still have the status of an open link.
  status text not null,
  submitted_at timestamptz,
  foreign key (tenant, transaction_id) references transactions (tenant, id) on delete cascade
);
create index biometrics_links_by_transaction on biometrics_links (tenant, transaction_id);
create index biometrics_links_in_review on biometrics_links (tenant, submitted_at, id) where status = 'Processing';

-- Flow runs, for counts and lists. The rows are derived from the record, and are written together with it.
create table flow_runs (
  id text primary key,
  tenant text not null,
  transaction_id text not null,
  flow text not null,
  version integer not null,
  status text not null,
  -- The current step. If the flow run has ended, its last step.
  step text not null,
  outcome text,
  -- Visits of steps, oldest first: [{ step, exit }].
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

-- The steps that each flow run has visited. With this table, Postgres finds the flow runs of a step, newest first, without reading the
-- paths of all flow runs.
create table flow_run_steps (
  run_id text not null references flow_runs on delete cascade,
  tenant text not null,
  flow text not null,
  version integer not null,
  -- A step that the flow run has visited at least once.
  step text not null,
  started_at timestamptz not null,
  primary key (run_id, step)
);
create index flow_run_steps_newest on flow_run_steps (tenant, flow, version, step, started_at, run_id);

-- What happened in transactions. The rows are derived from the record, and are written together with it. They never change.
create table transaction_events (
  tenant text not null,
  transaction_id text not null,
  -- The number of the event in its transaction, from 1, without gaps.
  sequence integer not null,
  -- Identifies what happened. With this key, a record that is saved again does not add the same event again.
  key text not null,
  type text not null,
  at timestamptz(3) not null,
  -- The status of the transaction in the record that added the event.
  status text not null,
  -- Without personal data.
  data json not null,
  primary key (tenant, transaction_id, sequence),
  unique (tenant, transaction_id, key)
);

-- URLs of tenants that get events. The secrets of webhooks are derived from the root secret, so they are not stored.
create table webhooks (
  id uuid primary key default gen_random_uuid(),
  tenant text not null,
  url text not null,
  -- Types of events, or patterns such as confirmation.* and *.
  events text[] not null,
  enabled boolean not null default true,
  -- Whether the service disabled the webhook, because the receiver answered 410.
  is_gone boolean not null default false,
  -- The current secret is derived from this number. The earlier secret also signs until earlier_secret_until.
  secret_version integer not null default 1,
  earlier_secret_until timestamptz,
  created_at timestamptz(3) not null default now()
);
create index webhooks_by_tenant on webhooks (tenant, created_at, id);

-- One row per webhook and event, added together with the event.
create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  webhook_id uuid not null references webhooks on delete cascade,
  tenant text not null,
  -- Null for a test event, like the sequence.
  transaction_id text,
  sequence integer,
  type text not null,
  -- Waiting, Delivered or Parked. A parked delivery gets no more attempts.
  state text not null default 'Waiting',
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- No attempt is made after this time.
  give_up_at timestamptz not null,
  last_attempt_at timestamptz,
  -- The answer to the last attempt, or why there was none.
  response_status integer,
  response_body text,
  failure text,
  created_at timestamptz(3) not null default now(),
  unique (webhook_id, transaction_id, sequence),
  foreign key (tenant, transaction_id, sequence) references transaction_events on delete cascade
);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at) where state = 'Waiting';
create index webhook_deliveries_in_order on webhook_deliveries (webhook_id, transaction_id, sequence) where state = 'Waiting';
create index webhook_deliveries_newest on webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_by_state on webhook_deliveries (webhook_id, state, created_at desc, id desc);
create index webhook_deliveries_by_event on webhook_deliveries (tenant, transaction_id, sequence);

-- The link graph: one row per transaction and circle. A circle is one tenant, or a group of tenants that share their history.
create table observations (
  -- 'tenant/<name>' for one tenant, or 'shared' for all tenants that share their history.
  circle text not null,
  tenant text not null,
  transaction_id text not null,
  at timestamptz not null,
  -- Keyed hashes of circle, kind of data and value, 128 bits each. Nobody can read the values, or compare them between circles.
  document uuid,
  phone uuid,
  email uuid,
  zip_code uuid,
  card uuid,
  name uuid,
  session uuid,
  identifier uuid,
  -- The caller's own reference, for lists. Scores do not use it. Null in the shared circle.
  reference uuid,
  -- Facts about the person. They only change from false to true.
  phone_confirmed boolean not null default false,
  email_confirmed boolean not null default false,
  denied boolean not null default false,
  primary key (circle, tenant, transaction_id)
);
-- To find the newest rows with a value. A hash depends on its circle, so the index does not need the circle.
create index observations_by_document on observations (document, at desc) where document is not null;
create index observations_by_phone on observations (phone, at desc) where phone is not null;
create index observations_by_email on observations (email, at desc) where email is not null;
create index observations_by_zip_code on observations (zip_code, at desc) where zip_code is not null;
create index observations_by_card on observations (card, at desc) where card is not null;
create index observations_by_name on observations (name, at desc) where name is not null;
create index observations_by_session on observations (session, at desc) where session is not null;
create index observations_by_identifier on observations (identifier, at desc) where identifier is not null;
create index observations_by_reference on observations (reference, at desc) where reference is not null;
-- To find rows that are confirmed or denied, even if many other rows with the same value are newer.
create index observations_denied_by_document on observations (document, at desc) where denied;
create index observations_denied_by_phone on observations (phone, at desc) where denied;
create index observations_denied_by_email on observations (email, at desc) where denied;
create index observations_confirmed_by_document on observations (document, at desc) where phone_confirmed or email_confirmed;

-- Messages ------------------------------------------------------------------------------------------------------

-- One row per send. It is written before the request to the provider, so that an unknown outcome can be reconciled.
create table sends (
  send_id text primary key,
  tenant text not null,
  transaction_id text not null,
  confirmation_or_link_id text not null,
  settings_name text not null,
  channel text not null,
  kind text not null,
  -- Keyed hash of the phone or mailbox.
  destination text not null,
  -- intent: the provider has certainly not accepted the message. dispatching: a request was sent to the provider, and its outcome is
  -- unknown. accepted: the provider has the message. failed: the message is never sent.
  state text not null default 'intent',
  provider_id text unique,
  -- The most advanced status that the provider has reported.
  provider_status text,
  provider_code text,
  -- Why the message is never sent: one of our error types. Later reports of the provider do not change it.
  failure text,
  created_at timestamptz not null default now(),
  -- Number of requests to the provider. An attempt may change the row only if no other attempt has increased this number in the meantime.
  dispatches integer not null default 0,
  dispatched_at timestamptz,
  expires_at timestamptz not null,
  -- The phone number without its last four digits; null for a mailbox.
  prefix text,
  -- Whether the person has confirmed or denied the transaction by phone after this message. The answer rate of a prefix depends on it.
  answered boolean not null default false,
  -- Whether the data of the transaction is erased. If so, the row only counts for the limits of its destination, and is deleted after two
  -- days.
  erased boolean not null default false
);
create index sends_erased on sends (created_at) where erased;
create index sends_by_destination on sends (destination, created_at desc);
create index sends_by_prefix on sends (tenant, prefix, created_at) where prefix is not null;
create index sends_by_transaction on sends (tenant, transaction_id);
create index sends_not_answered on sends (transaction_id) where prefix is not null and not answered;

-- How much each tenant has sent on a day (UTC), for each limit. `key`: a country or a prefix, or empty for a limit of the whole tenant.
create table daily_sends (
  day date not null,
  tenant text not null,
  limit_name text not null,
  key text not null,
  -- A number of messages, or an amount of money.
  used numeric not null,
  primary key (day, tenant, limit_name, key)
);

-- Phone prefixes to which a tenant may send nothing for some hours, with the reason.
create table send_blocks (
  id uuid primary key default gen_random_uuid(),
  tenant text not null,
  prefix text not null,
  reason text not null,
  sent integer not null,
  answered integer not null,
  created_at timestamptz not null default now(),
  ends_at timestamptz not null,
  -- When somebody removed the block before its end.
  removed_at timestamptz
);
create index send_blocks_by_prefix on send_blocks (tenant, prefix);
create index send_blocks_newest on send_blocks (tenant, created_at desc, id desc);

-- One row per attempt at a code for a phone or mailbox. A repeat of the attempt gets the same result.
create table code_attempts (
  tenant text not null,
  destination text not null,
  attempt_id text not null,
  -- Whether the phone or mailbox had attempts left. If not, the code was not accepted, even if it was right.
  within_limit boolean not null,
  -- Whether the attempt counts for the daily limit. Only a wrong code that was checked counts.
  counts boolean not null,
  at timestamptz not null default now(),
  primary key (destination, attempt_id)
);
create index code_attempts_by_time on code_attempts (destination, at) where counts;
-- For the hourly cleanup of expired rows.
create index code_attempts_by_age on code_attempts (at);

-- Phones and mailboxes that have opted out of messages.
create table opt_outs (
  destination text not null,
  channel text not null,
  at timestamptz not null default now(),
  primary key (destination, channel)
);

-- Events of providers: delivery statuses, and replies of persons. After an event is processed, only its id stays, to detect repeats.
create table provider_events (
  event_id text primary key,
  kind text not null,
  -- The fields as JSON, encrypted with a day key. Null when the event is done: it was processed, or it was too old.
  sealed bytea,
  key_day text not null,
  received_at timestamptz not null default now(),
  done_at timestamptz,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now()
);
create index provider_events_waiting on provider_events (next_attempt_at) where done_at is null;
create index provider_events_done on provider_events (done_at) where done_at is not null;

-- Flows ---------------------------------------------------------------------------------------------------------

-- Flow versions. A flow run depends on its flow version. So a definition never changes, and a version number is never used again.
create table flow_versions (
  -- '*' for the flows in the code, which every tenant has. It is not a valid tenant name.
  tenant text not null,
  -- Callers page through names, so their order must be the same on every server.
  name text collate "C" not null,
  version integer not null check (version > 0),
  -- The definition without its version. The type is json and not jsonb, because json keeps the order in which the author wrote the steps.
  definition json not null,
  -- Digest of the definition. It does not depend on the order of the fields. Equal definitions are one version.
  digest text not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  -- When the version was deleted. New flow runs cannot use it any more. The row stays, so that its number is not used again.
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
  raise exception 'a version of a flow must not change, except that it can be marked as deleted' using errcode = 'restrict_violation';
end
$$;
create trigger flow_versions_are_kept before update or delete on flow_versions
  for each row execute function keep_flow_version();

-- The history of activations. The newest row of a flow has its active version.
create table flow_activations (
  id bigserial primary key,
  tenant text not null,
  name text collate "C" not null,
  version integer not null,
  activated_at timestamptz not null default now(),
  activated_by text not null,
  -- The activation to which a rollback from this activation returns. Two rollbacks go back two versions.
  earlier bigint references flow_activations,
  foreign key (tenant, name, version) references flow_versions
);
create index flow_activations_by_flow on flow_activations (tenant, name, id);

-- The answers to requests that change flows and have an Idempotency-Key. For a day, a repeat of the request gets the same answer again.
create table flow_requests (
  tenant text not null,
  key text not null,
  -- Digest of the request, to detect another request with the same key.
  digest text not null,
  answer json,
  at timestamptz not null default now(),
  primary key (tenant, key)
);
create index flow_requests_by_age on flow_requests (at);

-- Images and the audit log --------------------------------------------------------------------------------------

-- One row per image. The row is written before the object in the image store, and is never deleted. So every object has a row.
create table images (
  id uuid primary key,
  tenant text not null,
  -- Id of the transaction.
  owner text not null,
  kind text not null,
  -- Size before sealing.
  bytes integer not null,
  created_at timestamptz not null default now(),
  delete_after timestamptz not null,
  -- When the object was stored. Before that, nobody can read the image.
  stored_at timestamptz,
  -- When the image became unreadable.
  deleted_at timestamptz,
  -- When the object was removed. Until then, the removal is retried.
  removed_at timestamptz,
  -- The last attempt to remove the object.
  tried_at timestamptz
);
create index images_by_owner on images (tenant, owner) where removed_at is null;
create index images_due on images (delete_after) where deleted_at is null;
create index images_to_remove on images (tried_at nulls first) where deleted_at is not null and removed_at is null;

-- Uploads of images in progress, in parts.
create table uploads (
  id uuid primary key,
  tenant text not null,
  -- Id of the transaction.
  owner text not null,
  -- What the upload is for. Its bytes cannot be used for another purpose.
  purpose text not null,
  size integer not null,
  received integer not null default 0,
  created_at timestamptz not null default now(),
  -- When the upload was taken: its bytes were read to decode them. A taken upload has no parts. The cleanup deletes the row, and the image
  -- key of the owner if nothing else needs this key.
  taken_at timestamptz,
  -- The result of a taken upload, for a repeat of its last chunk.
  result jsonb
);
create index uploads_by_owner on uploads (tenant, owner);
create index uploads_by_age on uploads (created_at);

-- The sealed parts of an upload, until it is taken.
create table upload_parts (
  upload_id uuid not null references uploads on delete cascade,
  at_offset integer not null,
  -- Size before sealing.
  size integer not null,
  bytes bytea not null,
  primary key (upload_id, at_offset)
);
-- Encrypted parts cannot be compressed.
alter table upload_parts alter column bytes set storage external;

-- Who read or changed data. Rows are only added, and have no personal data.
create table audit_log (
  id bigserial primary key,
  at timestamptz not null default now(),
  tenant text not null,
  -- What the data belongs to, such as the id of a transaction.
  owner text not null,
  actor text not null,
  action text not null,
  detail jsonb not null
);
-- Entries of the same instant are ordered by id, as they were written.
create index audit_log_by_owner on audit_log (tenant, owner, id);

-- Callers -------------------------------------------------------------------------------------------------------

-- Clients: the accounts with which callers sign in to the API.
create table clients (
  client_id text primary key,
  tenant text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  -- An access token has the version of its client. It is valid while the client has this version.
  version integer not null default 1,
  changed_at timestamptz not null default now()
);

-- Each change of a client increases its version. This is a trigger, so that a change by hand also ends the access tokens of the client.
create function count_client_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  new.changed_at := now();
  return new;
end $$;
create trigger client_versions_are_counted before update on clients
  for each row when (old.* is distinct from new.*) execute function count_client_version();

-- Secrets of clients, as SHA-256 hashes. The secrets are random and long, so a slow hash is not needed. A row is never deleted, because
-- the access tokens that were issued with a removed secret are rejected by the id of the secret.
create table client_secrets (
  id text primary key,
  client_id text not null references clients,
  hash text not null,
  created_at timestamptz not null default now(),
  -- When the last access token was issued with this secret. It is saved at most once a minute, so the true time can be a minute later.
  used_at timestamptz,
  removed_at timestamptz
);
-- The index also has the hash. So for a wrong secret and for an unknown client, the index finds no row, and both requests take the same
-- time.
create index client_secrets_by_client on client_secrets (client_id, hash);
create index client_secrets_removed on client_secrets (removed_at) where removed_at is not null;

-- Addresses of a caller's own site that hosted pages may use.
create table client_addresses (
  client_id text not null references clients,
  -- `return_url`: the start of addresses to which a page sends a person back. `origin`: an origin that may show a page in a frame.
  kind text not null check (kind in ('return_url', 'origin')),
  address text not null,
  primary key (client_id, kind, address)
);

-- Keys that sign access tokens: Ed25519 private keys, encrypted with a service key.
create table signing_keys (
  kid text primary key,
  key_id text not null,
  wrapped bytea not null,
  -- The time from which the key can sign. Of all keys that can sign, the newest signs. A key is published before it can sign.
  signs_from timestamptz not null
);

-- Rate limits. Each client and each IP address has a bucket: the number of requests that it may still make. A row has the time when the
-- bucket is full again. A bucket without a row is full. The table is unlogged, so after a crash of Postgres, all buckets are full.
create unlogged table rate_limits (
  -- Keyed hash of the limit and of the client or address.
  key text collate "C" primary key,
  full_at timestamptz not null
);

-- Tenants -------------------------------------------------------------------------------------------------------

-- Every table with a column `tenant` has row-level security, in addition to the condition in every query. The setting countersign.tenant
-- of a connection is the tenant whose rows the connection may see and change. '*' means all tenants. Without the setting, the connection
-- sees no rows. A later migration must do the same for a new table: see test/platform/row-security.test.ts.
do $$
declare name text;
begin
  for name in select table_name from information_schema.columns where table_schema = current_schema and column_name = 'tenant'
  loop
    execute format('alter table %I enable row level security, force row level security', name);
    execute format('create policy one_tenant on %I using (current_setting(''countersign.tenant'', true) in (''*'', tenant))', name);
  end loop;
end $$;

-- For `observations`, the same policy with subqueries, because Postgres plans it better. With subqueries, Postgres expects that half of the
-- rows are visible, and reads the newest rows by index. With the comparison in the policy above, Postgres expects almost no rows, and would
-- sort all rows that have a frequent value.
alter policy one_tenant on observations using (
  (select current_setting('countersign.tenant', true) = '*') or tenant = (select current_setting('countersign.tenant', true)));

-- Every tenant can read the flows in the code, and the audit log of these flows.
create policy flows_of_the_code on flow_versions for select
  using (tenant = '*' and current_setting('countersign.tenant', true) <> '');
create policy flows_of_the_code on audit_log for select
  using (tenant = '*' and current_setting('countersign.tenant', true) <> '');
