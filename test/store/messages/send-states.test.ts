import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { reserveSend } from '../../../store/messages/sends/reserve-send.sql';
import { adoptMessage, findSend } from '../../../store/messages/sends/send-states.sql';
import { saveStatusReports } from '../../../store/messages/sends/status-reports.sql';
import { startPostgres, type TestPostgres } from '../../support/postgres';

let postgres: TestPostgres;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
  pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'), 1);
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

/** A send whose request to the provider has an unknown outcome. */
async function createDispatchingSend(sendId: string): Promise<void> {
  await reserveSend(
    pool,
    {
      ...{ sendId, tenant: 'local', transactionId: 'tx-1', confirmationOrLinkId: 'c-1', settingsName: 'sms-token' },
      ...{ channel: 'sms', kind: 'token', destination: sendId, expiresAt: '2027-01-01T00:00:00.000Z' },
    },
    {
      destination: { perTenant: 5, total: 50, guaranteed: 1, windowMs: 1_000 },
      daily: [],
      lowAnswerRate: { messages: 20, rate: 0, blockHours: 12 },
    },
    'twilio',
  );
}

/** A delivery status that the provider reports. */
const report = (sendId: string, providerId: string, status: string) =>
  saveStatusReports(pool, [
    {
      ...{ sendId, providerId, status, sameOrLater: [status], relevantTo: [], isTold: false },
      events: status === 'delivered' ? ['confirmation.delivered'] : [],
    },
  ]);

test('the first report of a delivery sets its time, and later ones keep it', async () => {
  await createDispatchingSend('delivered');
  const readTime = async () =>
    (await pool.query<{ at: Date | null }>(`select delivered_at as at from sends where send_id = 'delivered'`)).rows[0]
      ?.at;
  await report('delivered', 'SM9', 'sent');
  expect(await readTime()).toBeNull();
  await report('delivered', 'SM9', 'delivered');
  const at = await readTime();
  expect(at).toBeInstanceOf(Date);
  await report('delivered', 'SM9', 'read');
  expect(await readTime()).toEqual(at);
});

const providerIdsOf = (...sendIds: string[]) =>
  Promise.all(sendIds.map(async (sendId) => (await findSend(pool, sendId))?.providerId));

test('if another send has adopted a message by mistake, a delivery status gives the message back to the right send; a second delivery status changes nothing', async () => {
  await createDispatchingSend('reported');
  await createDispatchingSend('adopter');
  expect(await adoptMessage(pool, { sendId: 'adopter', dispatches: 1 }, 'SM1')).toBe(true);
  await report('reported', 'SM1', 'sent');
  expect(await providerIdsOf('reported', 'adopter')).toEqual(['SM1', null]);
  await report('reported', 'SM1', 'delivered');
  expect(await providerIdsOf('reported', 'adopter')).toEqual(['SM1', null]);
});
