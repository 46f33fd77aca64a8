import { randomUUID } from 'node:crypto';
import { deriveCode, digestTypedCode, hashDestination } from '../../platform/codes';
import { deriveKeys } from '../../platform/keys';
import { hostedPagePath, readHostedPageToken } from '../../platform/links';
import { testKeys } from '../support/build';

const otherKeys = deriveKeys(Buffer.alloc(32, 8).toString('base64'));

test('a code depends only on its confirmation and the service key', () => {
  const [transaction, confirmation] = [randomUUID(), randomUUID()];
  const code = deriveCode(testKeys, transaction, confirmation, 6);
  expect(code).toMatch(/^\d{6}$/);
  expect(deriveCode(testKeys, transaction, confirmation, 6)).toBe(code);
  const others = Array.from({ length: 20 }, () => deriveCode(otherKeys, transaction, randomUUID(), 6));
  expect(others).not.toEqual(Array(20).fill(code));
});

test('200,000 codes: every digit is equally frequent in every position, leading zeros included', () => {
  const counts = Array.from({ length: 6 }, () => Array<number>(10).fill(0));
  const total = 200_000;
  for (let index = 0; index < total; index += 1)
    Array.from(deriveCode(testKeys, 'transaction', `c${index}`, 6)).forEach((digit, place) => {
      const row = counts[place] ?? [];
      row[Number(digit)] = (row[Number(digit)] ?? 0) + 1;
    });
  const expected = total / 10;
  for (const row of counts) {
    const chiSquare = row.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 9 degrees of freedom: values above 27.9 have a probability of one in a thousand. The input is fixed, so the test
    // is stable.
    expect(chiSquare).toBeLessThan(27.9);
  }
});

test('a digest belongs to its transaction, its flow and its key; spaces and hyphens do not count', () => {
  const digest = digestTypedCode(testKeys, 't', 'sms-token', '123456');
  expect(digestTypedCode(testKeys, 't', 'sms-token', '123-456 ')).toBe(digest);
  for (const other of [
    digestTypedCode(testKeys, 'u', 'sms-token', '123456'),
    digestTypedCode(testKeys, 't', 'email-token', '123456'),
    digestTypedCode(otherKeys, 't', 'sms-token', '123456'),
  ])
    expect(other).not.toBe(digest);
  expect(hashDestination(testKeys, 'A@B.com')).toBe(hashDestination(testKeys, 'a@b.com'));
});

test('a link opens only its own confirmation', () => {
  const target = {
    tenant: 'local',
    transactionId: randomUUID(),
    confirmationId: randomUUID(),
    purpose: 'deny',
  } as const;
  const token = hostedPagePath(testKeys, target).replace('/confirm/', '');
  expect(readHostedPageToken(testKeys, token)).toEqual(target);
  const [body, signature] = token.split('.');
  const { tenant, transactionId, confirmationId, purpose } = target;
  const forged = (...parts: string[]) => `${Buffer.from(JSON.stringify(parts)).toString('base64url')}.${signature}`;
  for (const wrong of [
    forged('other', transactionId, confirmationId, purpose),
    forged(tenant, transactionId, confirmationId, 'answer'),
    forged(tenant, transactionId, confirmationId),
    `${body}.${signature}x`,
    body ?? '',
    `${token}.x`,
    '',
    'x.y',
    `${token} `,
  ])
    expect(readHostedPageToken(testKeys, wrong)).toBeUndefined();
  expect(readHostedPageToken(otherKeys, token)).toBeUndefined();
});
