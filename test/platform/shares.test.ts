import { Shares } from '../../platform/fair-queue';

const shares = (client: string, tenant: string) => [
  { subject: `client ${client}`, max: 1 },
  { subject: `tenant ${tenant}`, max: 2 },
];

test('a subject takes no more than its share, and leaves the shares of others', () => {
  const taken = new Shares();
  expect(taken.take(shares('one', 'acme'))).toBeDefined();
  expect(taken.take(shares('one', 'acme'))).toBeUndefined();
  expect(taken.take(shares('two', 'acme'))).toBeDefined();
  expect(taken.take(shares('three', 'acme'))).toBeUndefined();
  expect(taken.take(shares('four', 'globex'))).toBeDefined();
});

test('a place that was not given counts for no subject', () => {
  const taken = new Shares();
  const release = taken.take(shares('one', 'acme'));
  taken.take(shares('one', 'acme'));
  expect(taken.count('tenant acme')).toBe(1);
  release?.();
  expect([taken.count('client one'), taken.count('tenant acme')]).toEqual([0, 0]);
});

test('a place is given back once, even if its release runs twice', () => {
  const taken = new Shares();
  const release = taken.take(shares('one', 'acme'));
  taken.take(shares('two', 'acme'));
  release?.();
  release?.();
  expect(taken.count('tenant acme')).toBe(1);
});
