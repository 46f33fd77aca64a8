-- Spreads what the person of a transaction has confirmed or denied: to the observations of the transaction, by which later transactions are
-- assessed, and to the messages to their phone, which then count as answered. Facts only change from false to true.
--
-- The caller has locked the record in this database transaction. The statements of a function have snapshots of their own, taken after that. So an
-- observation that another connection has saved meanwhile is not missed, and one that is saved later finds the facts in the record.
create function spread_facts(own_tenant text, own_id text, with_phone boolean, with_email boolean, with_denial boolean)
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
  return true;
end $$;
