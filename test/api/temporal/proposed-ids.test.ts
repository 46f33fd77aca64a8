import { proposedIds } from '../../../api/temporal/proposed-ids';
import { testKeys } from '../../support/build';

const target = { tenant: 'local', id: 't' };
const at = (day: string) => jest.useFakeTimers({ now: new Date(`${day}T23:59:59.000Z`), doNotFake: ['nextTick'] });
afterEach(() => jest.useRealTimers());

const ids = (key: string | undefined, of = target) =>
  ['run', 'link'].map((sort) => proposedIds(testKeys, of, key)(sort));

test('a key proposes the same ids all day, one for each kind, and others on another day', () => {
  at('2026-01-01');
  const first = ids('k');
  expect(first[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids('k')).toEqual(first);
  at('2026-01-02');
  const others = [
    ...ids('k'),
    ...ids('other'),
    ...ids('k', { ...target, id: 'u' }),
    ...ids('k', { ...target, tenant: 'b' }),
  ];
  expect(new Set([...first, ...others]).size).toBe(10);
});

test('without a key each id is new', () => {
  expect(new Set([...ids(undefined), ...ids(undefined)]).size).toBe(4);
});
