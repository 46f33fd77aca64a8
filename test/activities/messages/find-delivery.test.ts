import { createDeliveryCheck } from '../../../activities/messages/find-delivery';
import type { Pool } from '../../../platform/postgres/postgres';
import { useTestPool } from '../../support/test-pool';

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});

const saveSend = (sendId: string, provider: string | null, providerStatus: string | null) =>
  pool.query(
    `insert into sends (send_id, tenant, transaction_id, confirmation_or_link_id, settings_name, channel, kind, destination, state,
       provider, provider_status, expires_at)
     values ($1, 'local', 'tx', 'c', 'sms-token', 'sms', 'token', $1, 'accepted', $2, $3, now() + interval '5 minutes')`,
    [sendId, provider, providerStatus],
  );

test.each([
  ['a message that has arrived', [['twilio', 'delivered']], 'delivered'],
  ['a message that was read', [['twilio', 'read']], 'delivered'],
  ['a message that is on its way', [['twilio', 'sent']], 'missing'],
  ['a message that was not delivered', [['twilio', 'undelivered']], 'missing'],
  ['a message without a report', [['twilio', null]], 'missing'],
  [
    'an earlier message that has arrived',
    [
      ['twilio', 'delivered'],
      ['twilio', 'sent'],
    ],
    'delivered',
  ],
  ['a provider without reports', [['silent', null]], 'withoutReports'],
  ['a message that an earlier version sent', [[null, null]], 'missing'],
  ['a message that was never reserved', [], 'missing'],
] as const)('%s', async (name, sends, expected) => {
  const check = createDeliveryCheck({
    pool,
    givesReports: async (_tenant, _channel, provider) => provider !== 'silent',
  });
  const sendIds = sends.map((_, index) => `${name}.${index + 1}`);
  for (const [index, [provider, status]] of sends.entries()) await saveSend(sendIds[index] ?? '', provider, status);
  expect(
    await check({ tenant: 'local', channel: 'sms', sendIds: sendIds.length > 0 ? sendIds : ['unknown.1'] }),
  ).toEqual({
    check: expected,
  });
});
