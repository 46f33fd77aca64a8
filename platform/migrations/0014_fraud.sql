-- Deny and allow lists of tenants: whom a tenant sends no messages, and whose transactions it does not create.
create table list_entries (
  id uuid not null default gen_random_uuid(),
  tenant text not null,
  -- deny or allow.
  list text not null,
  -- phone, prefix, country, mailbox, domain, document, ip or network.
  kind text not null,
  -- What the entry matches. A keyed hash for a phone, a mailbox, a document and an IP address.
  value text not null,
  -- The value as callers read it: masked if `value` is a hash.
  shown text not null,
  reason text not null,
  added_by text not null,
  -- With milliseconds only, so that a page of a list can continue after a time in ISO 8601.
  created_at timestamptz(3) not null default now(),
  -- The entry has no effect from this time on. Null: it has no end.
  expires_at timestamptz(3),
  -- A value is on one list at most.
  primary key (tenant, value, kind)
);
create unique index list_entries_by_id on list_entries (id);
create index list_entries_newest on list_entries (tenant, created_at desc, id desc);
create index list_entries_by_expiry on list_entries (expires_at) where expires_at is not null;

alter table list_entries enable row level security, force row level security;
create policy one_tenant on list_entries using (current_setting('countersign.tenant', true) in ('*', tenant));

-- The entry that decides about a message. A denied document decides first. Then the most specific entry decides: a phone or mailbox before a
-- prefix, a longer prefix before a shorter one, and a country or domain last. Dial codes are prefixes of which none begins with another one,
-- so a country needs no field of its own. `own_domains`: the domain of the mailbox and the domains above it, as JSON. Workers of an earlier
-- release give none. All fields are null if no entry matches.
create function deciding_entry(
  own_tenant text, own_transaction text, own_destination text, own_prefix text, own_domains jsonb
) returns list_entries language plpgsql stable as $$
declare
  -- Variables, because with row-level security Postgres uses no index for a condition that calls a function.
  as_of timestamptz := clock_timestamp();
  wanted text[];
  entry list_entries%rowtype;
begin
  -- Most tenants have no lists, and then nothing more is read.
  if not exists (select from list_entries where tenant = own_tenant) then return null; end if;
  wanted := array[own_destination, (
      select document_hash::text from data_keys
      where tenant = own_tenant and owner = own_transaction and purpose = 'transaction')]
    || array(select substr(own_prefix, 2, size) from generate_series(1, length(own_prefix) - 1) as size)
    || array(select jsonb_array_elements_text(own_domains));
  select * into entry from list_entries
  where tenant = own_tenant and value = any (wanted) and (expires_at is null or expires_at > as_of)
    and (kind in ('phone', 'mailbox', 'prefix', 'country', 'domain') or kind = 'document' and list = 'deny')
  order by array_position(array['document', 'phone', 'mailbox', 'prefix', 'country', 'domain'], kind), length(value) desc limit 1;
  return entry;
end $$;

-- Whether a tenant may not create a transaction of a person. `wanted`: the document, the IP address and its networks, the most specific first,
-- which decides.
create function is_person_denied(own_tenant text, wanted text[]) returns boolean language plpgsql stable as $$
declare
  as_of timestamptz := clock_timestamp();
begin
  return coalesce((
    select list = 'deny' from list_entries
    where tenant = own_tenant and value = any (wanted) and (expires_at is null or expires_at > as_of)
      and kind in ('document', 'ip', 'network')
    order by array_position(wanted, value) limit 1), false);
end $$;

-- Opt-outs that do not stop the messages of a tenant any more, because the person gave consent to this tenant after them. A STOP that arrives
-- later counts again.
create table opt_out_releases (
  id uuid not null default gen_random_uuid(),
  tenant text not null,
  destination text not null,
  channel text not null,
  at timestamptz not null default now(),
  -- How the person gave consent.
  reason text not null,
  released_by text not null,
  primary key (tenant, destination, channel)
);
alter table opt_out_releases enable row level security, force row level security;
create policy one_tenant on opt_out_releases using (current_setting('countersign.tenant', true) in ('*', tenant));

-- As in 0012_providers, with the lists and the releases of opt-outs: no message is sent to a destination that is denied, and the answer rate of its prefix blocks no
-- message to a destination that is allowed. Workers of an earlier release report a message that is denied as a blocked prefix.
create or replace function reserve_send(send jsonb, limits jsonb, claims boolean) returns jsonb language plpgsql as $$
declare
  send_key text := send ->> 'sendId';
  own_tenant text := send ->> 'tenant';
  own_destination text := send ->> 'destination';
  own_prefix text := send ->> 'prefix';
  period interval := (limits -> 'destination' ->> 'windowMs')::float8 * interval '1 millisecond';
  per_tenant int := limits -> 'destination' ->> 'perTenant';
  rate float8 := limits -> 'lowAnswerRate' ->> 'rate';
  -- Variables, because with row-level security Postgres uses no index for a condition that calls a function.
  since timestamptz := now() - period;
  is_opted_out boolean;
  -- The entry that decides about the message. Without one, all its fields are null.
  listed list_entries%rowtype;
  is_denied boolean;
  known sends%rowtype;
  sent record;
  block record;
  daily record;
begin
  -- First, because an erasure takes this lock before all others.
  if is_erased(own_tenant, send ->> 'transactionId') then return '{"reason": "erased"}'; end if;
  -- Sends to the same phone, mailbox or prefix wait for each other here, so that together they cannot exceed a limit. The locks are always
  -- taken in this order: with different orders, two sends could block each other.
  perform pg_advisory_xact_lock(hashtextextended('sends/' || own_destination, 0));
  perform pg_advisory_xact_lock(hashtextextended('prefix/' || own_tenant || '/' || coalesce(own_prefix, own_destination), 0));

  is_opted_out := exists (
    select from opt_outs where destination = own_destination and channel = send ->> 'channel' and not exists (
      select from opt_ins
      where opt_ins.destination = opt_outs.destination and opt_ins.channel = opt_outs.channel and opt_ins.at > opt_outs.at)
    and not exists (
      select from opt_out_releases as release
      where release.tenant = own_tenant and release.destination = opt_outs.destination and release.channel = opt_outs.channel
        and release.at > opt_outs.at));
  -- After the locks, so that a message that waited for them meets an entry that was added meanwhile.
  listed := deciding_entry(own_tenant, send ->> 'transactionId', own_destination, own_prefix, send -> 'domains');
  is_denied := listed.list is not distinct from 'deny';
  select * into known from sends where send_id = send_key;
  if found then
    claims := claims and not is_opted_out and not is_denied and known.state = 'intent' and known.failure is null and not known.erased;
    if claims then
      update sends set state = 'dispatching', dispatches = dispatches + 1, dispatched_at = clock_timestamp(), provider = send ->> 'provider'
      where send_id = send_key;
    end if;
    -- Workers of an earlier release read only isOptedOut.
    return send_reservation(known, claims, is_opted_out or is_denied)
      || jsonb_build_object('deniedKind', case when is_denied then listed.kind end);
  end if;
  if is_opted_out then return '{"reason": "optedOut"}'; end if;
  if is_denied then return jsonb_build_object('reason', 'denied', 'kind', listed.kind); end if;

  -- A message that was not sent and has expired does not count: it can never be sent. `own_until`: when a tenant at its limit may send again.
  -- Example: with a limit of 5, when the fifth newest of its messages leaves the window.
  select count(*) as total, count(*) filter (where tenant = own_tenant) as own,
    (array_agg(created_at order by created_at desc) filter (where tenant = own_tenant))[per_tenant] + period as own_until
  into sent from sends
  where destination = own_destination and state <> 'failed' and not (state = 'intent' and expires_at <= now())
    and created_at > since;
  -- Every tenant may always send `guaranteed` messages, even if the others have used up the total. The answer shows nothing about others.
  if sent.own >= (limits -> 'destination' ->> 'guaranteed')::int
    and (sent.own >= per_tenant or sent.total >= (limits -> 'destination' ->> 'total')::int) then
    return jsonb_build_object('reason', 'destinationLimit',
      'retryAfterSeconds', greatest(1, ceil(extract(epoch from coalesce(sent.own_until - now(), period)))));
  end if;

  if own_prefix is not null and rate > 0 and listed.list is distinct from 'allow' then
    select id, removed_at is null and ends_at > now() as is_active, coalesce(removed_at, ends_at) as ended_at,
      ceil(extract(epoch from ends_at - now())) as seconds_left
    into block from send_blocks where tenant = own_tenant and prefix = own_prefix order by 2 desc, 3 desc limit 1;
    if block.is_active then
      return jsonb_build_object('reason', 'blocked', 'blockId', block.id, 'retryAfterSeconds', block.seconds_left);
    end if;
    -- While a provider refuses all messages, nobody can answer. So a message counts only if the provider may have it, or if its first request
    -- is still to come.
    since := greatest(now() - interval '24 hours', block.ended_at);
    select count(*) as sent, count(*) filter (where answered) as answered into sent from sends
    where tenant = own_tenant and prefix = own_prefix and state <> 'failed'
      and not (state = 'intent' and (dispatches > 0 or expires_at <= now()))
      and created_at > since;
    if sent.sent >= (limits -> 'lowAnswerRate' ->> 'messages')::int and sent.answered < rate * sent.sent then
      insert into send_blocks (tenant, prefix, reason, sent, answered, ends_at)
      values (own_tenant, own_prefix, 'lowAnswerRate', sent.sent, sent.answered,
        now() + (limits -> 'lowAnswerRate' ->> 'blockHours')::float8 * interval '1 hour')
      returning id into block;
      return jsonb_build_object('reason', 'blocked', 'blockId', block.id, 'counts', to_jsonb(sent),
        'retryAfterSeconds', (limits -> 'lowAnswerRate' ->> 'blockHours')::float8 * 3600);
    end if;
  end if;

  insert into sends
    (send_id, tenant, transaction_id, confirmation_or_link_id, settings_name, channel, kind, destination, expires_at, prefix,
      state, dispatches, dispatched_at, provider)
  values (send_key, own_tenant, send ->> 'transactionId', send ->> 'confirmationOrLinkId', send ->> 'settingsName',
    send ->> 'channel', send ->> 'kind', own_destination, (send ->> 'expiresAt')::timestamptz, own_prefix,
    case when claims then 'dispatching' else 'intent' end, claims::int, case when claims then clock_timestamp() end,
    case when claims then send ->> 'provider' end)
  returning * into known;
  -- Last, because all sends of the tenant wait until these counts are saved. All statements lock these rows in the same order.
  for daily in
    insert into daily_sends as counted (day, tenant, limit_name, key, used)
    select (now() at time zone 'utc')::date, own_tenant, wanted.name, wanted.key, wanted.amount
    from jsonb_to_recordset(limits -> 'daily') as wanted (name text, key text, amount numeric, max numeric)
    order by wanted.name, wanted.key
    on conflict (day, tenant, limit_name, key) do update set used = counted.used + excluded.used
    returning limit_name as name, key, used
  loop
    if daily.used > (
      select wanted.max from jsonb_to_recordset(limits -> 'daily') as wanted (name text, key text, max numeric)
      where wanted.name = daily.name and wanted.key = daily.key)
    then
      raise exception using errcode = 'CS001', message = 'a daily limit is exceeded', detail = daily.name,
        hint = ceil(extract(epoch from date_trunc('day', now(), 'utc') + interval '1 day' - now()))::text;
    end if;
  end loop;
  -- The row as it was before the claim.
  known.state := 'intent';
  known.dispatches := 0;
  return send_reservation(known, claims, false);
end $$;

-- For the counts of messages by day. Its columns never change, so an update of a row leaves the index as it is.
create index sends_by_tenant_and_time on sends (tenant, created_at);

-- As in 0011_facts. Codes and questions by e-mail also count as answered, for the counts of messages.
create or replace function spread_facts(own_tenant text, own_id text, with_phone boolean, with_email boolean, with_denial boolean)
returns boolean language plpgsql as $$
begin
  update observations as own
  set phone_confirmed = own.phone_confirmed or with_phone, email_confirmed = own.email_confirmed or with_email,
    denied = own.denied or with_denial
  where own.circle in ('tenant/' || own_tenant, 'shared') and own.tenant = own_tenant and own.transaction_id = own_id
    and (with_phone > own.phone_confirmed or with_email > own.email_confirmed or with_denial > own.denied);
  if with_phone or with_denial then
    update sends set answered = true
    where transaction_id = own_id and tenant = own_tenant and prefix is not null and not answered;
  end if;
  if with_email or with_denial then
    update sends set answered = true
    where transaction_id = own_id and tenant = own_tenant and channel = 'email' and not answered;
  end if;
  return true;
end $$;
