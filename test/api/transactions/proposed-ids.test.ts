import { createIdProposer } from '../../../api/transactions/proposed-ids';
import { testKeys } from '../../support/build';

const target = { tenant: 'local', id: 't' };
const setDay = (day: string) => jest.useFakeTimers({ now: new Date(`${day}T23:59:59.000Z`), doNotFake: ['nextTick'] });
afterEach(() => jest.useRealTimers());

/** The ids that the API proposes for a flow run and a link. */
const proposeIds = (key: string | undefined, transaction = target) =>
  ['run', 'link'].map((kind) => createIdProposer(testKeys, transaction, key)(kind));

test('requests with the same idempotency key get the same proposed ids on the same day, and other ids on the next day', () => {
  setDay('2026-01-01');
  const first = proposeIds('k');
  expect(first[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(proposeIds('k')).toEqual(first);
  setDay('2026-01-02');
  const others = [
    ...proposeIds('k'),
    ...proposeIds('other'),
    ...proposeIds('k', { ...target, id: 'u' }),
    ...proposeIds('k', { ...target, tenant: 'b' }),
  ];
  expect(new Set([...first, ...others]).size).toBe(10);
});

test('without an idempotency key, each id is new', () => {
  expect(new Set([...proposeIds(undefined), ...proposeIds(undefined)]).size).toBe(4);
});
