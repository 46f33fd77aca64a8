-- Mailboxes that do not exist, or whose owners reported a mail as unwanted. Nobody gets mails there: the mailbox is the same for all tenants.
create table mail_stops (
  -- Keyed hash of the mailbox.
  destination text primary key,
  -- bounced or complained.
  reason text not null,
  -- The enhanced status code, such as 5.1.1, or the type of the complaint, such as abuse.
  code text not null,
  -- When the reported mail was created, and not when the report arrived. So a report that is repeated, or late, never undoes a release.
  at timestamptz not null
);

-- As in 0012_providers, with the lists and the releases of 0014_fraud, and with the stops of mailboxes. No message is sent to a destination that
-- is denied, and the answer rate of its prefix blocks no message to a destination that is allowed. A release in opt_out_releases also ends a stop
-- for its tenant. Workers of an earlier release report a denied message as a blocked prefix, and a stopped mailbox as an opt-out.
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
  -- Why mails to the mailbox are stopped. Null if they are not.
  stop_code text;
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

  if send ->> 'channel' = 'email' then
    select code into stop_code from mail_stops where destination = own_destination and not exists (
      select from opt_out_releases as release
      where release.tenant = own_tenant and release.destination = own_destination and release.channel = 'email'
        and release.at > mail_stops.at);
  end if;
  is_opted_out := stop_code is not null or exists (
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
    -- Workers of an earlier release read only isOptedOut, also for a mailbox that is stopped.
    return send_reservation(known, claims, is_opted_out or is_denied)
      || jsonb_build_object('deniedKind', case when is_denied then listed.kind end, 'stopCode', stop_code);
  end if;
  if is_opted_out then return jsonb_strip_nulls(jsonb_build_object('reason', 'optedOut', 'stopCode', stop_code)); end if;
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
