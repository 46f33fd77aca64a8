-- Nobody can reply to a call, so a person who has stopped SMS gets no calls either. From now on, each opt-out and opt-in for SMS is also saved
-- for calls.
insert into opt_outs (destination, channel, at) select destination, 'voice', at from opt_outs where channel = 'sms'
on conflict (destination, channel) do nothing;
insert into opt_ins (destination, channel, at) select destination, 'voice', at from opt_ins where channel = 'sms'
on conflict (destination, channel) do nothing;
