import { randomUUID } from 'node:crypto';
import { imagePath, readImageToken } from '../../images/sealed-images';
import { createTestKeys } from '../support/test-keys';
import { readHostedPageToken } from '../../messages/links';
import { testKeys } from '../support/build';

const expiresAt = new Date('2026-01-01T12:05:00.000Z');
const imageUrl = { tenant: 'local', owner: randomUUID(), id: randomUUID(), actor: 'client-1', expiresAt };
const beforeExpiry = new Date('2026-01-01T12:04:59.999Z');
const createToken = (changes: Partial<typeof imageUrl> = {}) =>
  imagePath(testKeys, { ...imageUrl, ...changes }).replace('/images/', '');

test('the address of an image opens the image until just before the address expires', () => {
  expect(imagePath(testKeys, imageUrl)).toMatch(/^\/images\/[\w-]+\.[\w-]{43}$/);
  expect(readImageToken(testKeys, createToken(), beforeExpiry)).toEqual(imageUrl);
  expect(readImageToken(testKeys, createToken(), expiresAt)).toBe('expired');
  expect(readImageToken(testKeys, createToken(), new Date(expiresAt.getTime() + 1_000))).toBe('expired');
});

test.each<[string, Partial<typeof imageUrl>]>([
  ['tenant', { tenant: 'other' }],
  ['owner', { owner: randomUUID() }],
  ['image', { id: randomUUID() }],
  ['client', { actor: 'client-2' }],
  ['expiry', { expiresAt: new Date('2027-01-01T00:00:00.000Z') }],
])('the signature of one address does not open an address with another %s', (_, changes) => {
  const [, signature] = createToken().split('.');
  const [body] = createToken(changes).split('.');
  expect(readImageToken(testKeys, `${body}.${signature}`, beforeExpiry)).toBeUndefined();
});

test('an altered address opens nothing, and the result does not show whether the address has expired', () => {
  const token = createToken();
  const alteredTokens = Array.from(
    token,
    (was, at) => token.slice(0, at) + (was === 'A' ? 'B' : 'A') + token.slice(at + 1),
  );
  for (const one of [...alteredTokens, '', '.', 'x.y', `${token}.x`, `${token} `, token.slice(0, -1), `../${token}`])
    for (const now of [beforeExpiry, expiresAt]) expect(readImageToken(testKeys, one, now)).toBeUndefined();
});

test('an address that another key has signed opens no image, and the address of an image opens no hosted page', () => {
  const otherKeys = createTestKeys(Buffer.alloc(32, 8).toString('base64'));
  expect(readImageToken(otherKeys, createToken(), beforeExpiry)).toBeUndefined();
  expect(readHostedPageToken(testKeys, createToken())).toBeUndefined();
});
