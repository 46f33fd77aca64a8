-- The sequence of each new event is higher. A restore raises it above all events that were delivered before. Earlier releases ignore it.
alter table root_secret add column event_floor integer not null default 0;
