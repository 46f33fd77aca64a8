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
