-- Replies and opt-outs that are processed late or sent again.

-- The newest time at which a person allowed messages again, for each phone and channel. An opt-out counts only if it arrived later. So the
-- order in which the service processes opt-outs and opt-ins does not matter.
create table opt_ins (
  destination text not null,
  channel text not null,
  at timestamptz not null,
  primary key (destination, channel)
);

-- The messages of persons that have arrived, as hashes of their ids at the provider: 128 bits of SHA-256. The ids are random, so nobody can
-- find an id from its hash. A signed request of the provider has no time, so somebody who captured one could send it again years later. The
-- rows are never deleted, so such a request is always recognized. A row takes about 80 bytes.
create table received_messages (
  id_hash uuid primary key
);
insert into received_messages (id_hash)
select encode(substr(sha256(convert_to(event_id, 'UTF8')), 1, 16), 'hex')::uuid from provider_events where kind = 'inbound';

-- What a reply must wait for: earlier replies with the same value. First the keyed hash of the sender, and then the confirmation that the
-- reply answers. Null for other events.
alter table provider_events add column order_key text;
create index provider_events_in_order on provider_events (order_key, received_at) where done_at is null and order_key is not null;
