import { type EventBody } from '../../../domain/events/event';
import { NewEvents } from '../../../api/events/new-events';
import { createLogger } from '../../../platform/logger';

const logger = createLogger('test', 'silent');
const { signal } = new AbortController();
const target = (id: string, clientId = 'client', tenant = 'acme') => ({ tenant, id, clientId });
const eventOf = (sequence: number) => ({ sequence }) as EventBody;

describe('requests that wait for events', () => {
  test.each([
    ['a client', 2, () => target('a'), () => target('b', 'other')],
    ['a tenant', 4, (n: number) => target('a', `client ${n}`), () => target('b', 'other', 'globex')],
  ])('%s has a share of the waiting requests, and leaves the rest to others', (_, share, create, createOther) => {
    const newEvents = new NewEvents(logger, { waitingMax: 8 });
    const watches = Array.from({ length: share }, (_unused, n) => newEvents.watch(create(n), signal));
    expect(() => newEvents.watch(create(share), signal)).toThrow(expect.objectContaining({ code: 'too_many_waiting' }));
    newEvents.watch(createOther(), signal).stop();
    watches[0]?.stop();
    newEvents.watch(create(share), signal).stop();
  });

  test('one transaction has at most a hundred waiting requests', () => {
    const newEvents = new NewEvents(logger, { waitingMax: 10_000 });
    for (let count = 0; count < 100; count += 1) newEvents.watch(target('a'), signal);
    expect(() => newEvents.watch(target('a'), signal)).toThrow(expect.objectContaining({ code: 'too_many_waiting' }));
    newEvents.watch(target('b'), signal);
  });

  test('all requests that wait for a transaction share one read of each wake-up', async () => {
    const newEvents = new NewEvents(logger, { waitingMax: 100 });
    const positions = [3, 5, 9];
    const reads: number[] = [];
    const read = async (after: number) => {
      reads.push(after);
      return [4, 6, 7].map(eventOf).filter(({ sequence }) => sequence > after);
    };
    const watches = positions.map((after) => ({ after, watch: newEvents.watch(target('a'), signal) }));
    const waits = watches.map(({ after, watch }) => watch.wait(after, 60_000));
    newEvents.wake('acme/a');
    expect(await Promise.all(waits)).toEqual([true, true, true]);
    const found = await Promise.all(watches.map(({ after, watch }) => watch.readNew(after, read)));
    expect(found.map((events) => events.map(({ sequence }) => sequence))).toEqual([[4, 6, 7], [6, 7], []]);
    expect(reads).toEqual([3]);
    newEvents.wake('acme/a');
    await Promise.all(watches.map(({ watch }) => watch.readNew(7, read)));
    expect(reads).toEqual([3, 3]);
  });

  test('a request whose first read was slow gets all events, although the shared read began later', async () => {
    const newEvents = new NewEvents(logger, { waitingMax: 100 });
    const read = async (after: number) => [11, 12, 13].map(eventOf).filter(({ sequence }) => sequence > after);
    const fast = newEvents.watch(target('a'), signal);
    const waiting = fast.wait(12, 60_000);
    // The first read of this request has seen no event after 10. Until it ends, the other request has read 11 and 12, and 13 happens.
    const slow = newEvents.watch(target('a'), signal);
    newEvents.wake('acme/a');
    expect(await waiting).toBe(true);
    const found = await fast.readNew(12, read);
    expect(found.map(({ sequence }) => sequence)).toEqual([13]);
    expect(await slow.wait(10, 60_000)).toBe(true);
    const foundLater = await slow.readNew(10, read);
    expect(foundLater.map(({ sequence }) => sequence)).toEqual([11, 12, 13]);
  });
});
