import { SendLocked, StatusReports } from '../../../api/providers/status-reports';
import { asService } from '../../../platform/postgres/tenant-scope';
import { waitUntil } from '../../support/wait-until';
import { createMessageSid, type SavedSend, TwilioWorld } from './twilio-world';

let world: TwilioWorld;
beforeAll(async () => {
  world = await TwilioWorld.open();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => world.close());

const report = ({ sendId }: SavedSend, status: string, providerId = createMessageSid()) =>
  ({ kind: 'status', sendId, providerId, status }) as const;

const newReports = () => new StatusReports(world.api.dependencies);

/** What the provider has reported about these messages. */
async function readStatuses(sends: readonly SavedSend[]): Promise<unknown[]> {
  const sql = 'select send_id as id, provider_status as status from sends where send_id = any($1)';
  const { rows } = await world.pool.query<{ id: string; status: string | null }>(sql, [sends.map((one) => one.sendId)]);
  return sends.map(({ sendId }) => rows.find(({ id }) => id === sendId)?.status);
}

const toldStatuses = ({ sendId }: SavedSend) =>
  world.transactions.reportedDeliveryStatuses.filter((one) => one.sendId === sendId).map(({ status }) => status);

describe('status reports', () => {
  test('that arrive while a statement runs share the next one', async () => {
    const sends: SavedSend[] = [];
    while (sends.length < 20) sends.push(await world.saveSend('sms', 'token'));
    const query = jest.spyOn(world.pool, 'query');
    const reports = newReports();
    await asService(() => Promise.all(sends.map((send) => reports.take(report(send, 'delivered')))));
    expect(query.mock.calls).toHaveLength(2);
    expect(await readStatuses(sends)).toEqual(sends.map(() => 'delivered'));
  });

  test('of one message are saved one after the other, so the transaction is told of each', async () => {
    const send = await world.saveSend('sms');
    const providerId = createMessageSid();
    const reports = newReports();
    const take = async (status: string) => (await reports.take(report(send, status, providerId)))?.run();
    await asService(() => Promise.all([take('sent'), take('delivered')]));
    expect(toldStatuses(send).toSorted()).toEqual(['delivered', 'sent']);
    expect(await readStatuses([send])).toEqual(['delivered']);
  });

  test('of which the transaction was not told, because the process died, are told when the provider repeats them', async () => {
    const send = await world.saveSend('sms');
    const event = report(send, 'delivered');
    // The process dies before it runs this work.
    expect(await asService(() => newReports().take(event))).toBeDefined();
    expect(await readStatuses([send])).toEqual([null]);
    await asService(async () => (await newReports().take(event))?.run());
    expect(toldStatuses(send)).toEqual(['delivered']);
    expect(await readStatuses([send])).toEqual(['delivered']);
    expect(await asService(() => newReports().take(event))).toBeUndefined();
  });

  test('are all saved, even if another send has adopted one of the messages by mistake', async () => {
    const [first, adopted, adopter] = [
      await world.saveSend('sms', 'token'),
      await world.saveSend('sms', 'token'),
      await world.saveSend('sms', 'token'),
    ];
    const providerId = await world.assignProviderId(adopter);
    const reports = newReports();
    await asService(() =>
      Promise.all([reports.take(report(first, 'sent')), reports.take(report(adopted, 'sent', providerId))]),
    );
    // The first report has a statement of its own.
    await asService(() =>
      Promise.all([
        reports.take(report(first, 'delivered')),
        reports.take(report(adopted, 'delivered', providerId)),
        reports.take(report(adopter, 'delivered')),
      ]),
    );
    expect(await readStatuses([first, adopted, adopter])).toEqual(['delivered', 'delivered', 'delivered']);
  });

  test('of a send that is locked only for a moment are saved without a detour', async () => {
    const send = await world.saveSend('sms', 'token');
    const lock = await world.pool.connect();
    await lock.query('begin');
    await lock.query('select from sends where send_id = $1 for update', [send.sendId]);
    const query = jest.spyOn(world.pool, 'query');
    const taken = asService(() => newReports().take(report(send, 'delivered')));
    await waitUntil(() => query.mock.results.length > 0);
    await query.mock.results[0]?.value;
    await lock.query('rollback');
    lock.release();
    await taken;
    expect(await readStatuses([send])).toEqual(['delivered']);
  });

  test('do not wait for a send that is locked, such as by an erasure; the report of that send is saved later', async () => {
    const [locked, other] = [await world.saveSend('sms', 'token'), await world.saveSend('sms', 'token')];
    const lock = await world.pool.connect();
    try {
      await lock.query('begin');
      await lock.query('select from sends where send_id = $1 for update', [locked.sendId]);
      const reports = newReports();
      const [ofLocked, ofOther] = await asService(() =>
        Promise.allSettled([reports.take(report(locked, 'delivered')), reports.take(report(other, 'delivered'))]),
      );
      expect(ofLocked).toMatchObject({ status: 'rejected', reason: new SendLocked() });
      expect(ofOther).toMatchObject({ status: 'fulfilled' });
      expect(await readStatuses([locked, other])).toEqual([null, 'delivered']);
      // The provider gets its answer now, and the report becomes an event.
      await world.api.dependencies.providerEvents.takeStatus(report(locked, 'delivered'));
    } finally {
      await lock.query('rollback');
      lock.release();
    }
    await waitUntil(async () => (await readStatuses([locked]))[0] === 'delivered');
  });
});
