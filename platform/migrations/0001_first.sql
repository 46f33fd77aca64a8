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

-- What providers told us, kept before it is answered for and worked on until the workflow has it.
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

-- Phones and mailboxes whose owner wants no messages.
create table opt_outs (
  destination text not null,
  channel text not null,
  at timestamptz not null default now(),
  primary key (destination, channel)
);

-- Who may call. Secrets are kept as SHA-256; they are random and long, so a slow hash adds nothing.
create table clients (
  client_id text primary key,
  tenant text not null,
  secret_hash text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
