import { randomUUID } from 'node:crypto';
import { deriveCode, digestTypedCode, hashDestination } from '../../messages/codes';
import { createTestKeys } from '../support/test-keys';
import { hostedPagePath, readHostedPageToken } from '../../messages/links';
import { canonicalMailbox } from '../../messages/mailboxes';
import { testKeys } from '../support/build';

const otherKeys = createTestKeys(Buffer.alloc(32, 8).toString('base64'));

test('a code depends only on its confirmation and the root secret', () => {
  const [transactionId, confirmationId] = [randomUUID(), randomUUID()];
  const code = deriveCode(testKeys, transactionId, confirmationId, 6);
  expect(code).toMatch(/^\d{6}$/);
  expect(deriveCode(testKeys, transactionId, confirmationId, 6)).toBe(code);
  const otherCodes = Array.from({ length: 20 }, () => deriveCode(otherKeys, transactionId, randomUUID(), 6));
  expect(otherCodes).not.toEqual(Array(20).fill(code));
});

/** The chi-square statistic of counts that should all be equal. */
function chiSquareOf(counts: Uint32Array): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

test('in 1,000,000 codes, all digits of each position and all values of each half are equally frequent; leading zeros are kept', () => {
  const digits = Array.from({ length: 6 }, () => new Uint32Array(10));
  const halves = [new Uint32Array(1_000), new Uint32Array(1_000)];
  for (let index = 0; index < 1_000_000; index += 1) {
    const code = deriveCode(testKeys, 'transaction', `c${index}`, 6);
    if (code.length !== 6) throw new Error(`The code ${code} has lost its leading zeros.`);
    for (let position = 0; position < 6; position += 1) digits[position]![code.charCodeAt(position) - 48]! += 1;
    for (const half of [0, 1]) halves[half]![Number(code.slice(3 * half, 3 * half + 3))]! += 1;
  }
  // With 9 and 999 degrees of freedom, only 1 % of fair generators exceed these values. Every run has the same codes.
  for (const counts of digits) expect(chiSquareOf(counts)).toBeLessThan(21.67);
  for (const counts of halves) expect(chiSquareOf(counts)).toBeLessThan(1_105.9);
});

test('the digest of a code depends on its transaction, settings and root secret', () => {
  const digest = digestTypedCode(testKeys, 't', 'sms-token', '123456');
  for (const otherDigest of [
    digestTypedCode(testKeys, 'u', 'sms-token', '123456'),
    digestTypedCode(testKeys, 't', 'email-token', '123456'),
    digestTypedCode(otherKeys, 't', 'sms-token', '123456'),
  ])
    expect(otherDigest).not.toBe(digest);
});

test.each([
  ['A@B.com', 'a@b.com'],
  ['maria+1@example.com', 'maria@example.com'],
  ['m.a.r.i.a+x@googlemail.com', 'maria@gmail.com'],
  ['maria@protonmail.com', 'maria@proton.me'],
  ['Maria+x@pm.me', 'maria@proton.me'],
  ['maria@protonmail.ch', 'maria@proton.me'],
  ['m.a-r_ia@proton.me', 'maria@proton.me'],
  ['maria@me.com', 'maria@icloud.com'],
  ['maria+x@mac.com', 'maria@icloud.com'],
  ['maria-silva@ya.ru', 'maria.silva@yandex.ru'],
  ['maria+x@yandex.com', 'maria@yandex.ru'],
  ['maria-shop@yahoo.com.br', 'maria@yahoo.com.br'],
  ['maria+shop@ymail.com', 'maria@ymail.com'],
  ['shop@maria.fastmail.com', 'maria@fastmail.com'],
  ['shop+x@maria-silva.sent.com', 'maria_silva@sent.com'],
  ['maria@BÜCHER.example', 'maria@xn--bcher-kva.example'],
  ['joa\u0303o@bu\u0308cher.example', 'jo\u00e3o@xn--bcher-kva.example'],
])('the address %s belongs to the mailbox %s, so both share limits and opt-outs', (spelling, mailbox) => {
  expect(hashDestination(testKeys, spelling)).toBe(hashDestination(testKeys, mailbox));
});

test.each([
  ['maria-x@gmail.com', 'maria-x@gmail.com'],
  ['m.a-r_ia@example.com', 'm.a-r_ia@example.com'],
  ['maria.silva@icloud.com', 'maria.silva@icloud.com'],
  ['maria-x@icloud.com', 'maria-x@icloud.com'],
  ['maria@yahoo.co.uk', 'maria@yahoo.co.uk'],
  ['maria-x@yahoo.co.jp', 'maria-x@yahoo.co.jp'],
  ['maria_silva@fastmail.com', 'maria_silva@fastmail.com'],
  ['maria@fastmail.fm', 'maria@fastmail.fm'],
  ['maria@mail.example.com', 'maria@mail.example.com'],
  ['+maria@example.com', '+maria@example.com'],
  ['maria@outlook.com', 'maria@outlook.com'],
])('the mailbox of %s stays %s, so its saved hashes stay the same', (address, mailbox) => {
  expect(canonicalMailbox(address)).toBe(mailbox);
});

test.each([
  ['maria.silva@example.com', 'mariasilva@example.com'],
  ['+5511987654321', '+5511987654322'],
  ['+tag@example.com', '+other@example.com'],
])('%s and %s are different destinations', (one, other) => {
  expect(hashDestination(testKeys, one)).not.toBe(hashDestination(testKeys, other));
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
  const forgeToken = (...parts: string[]) => `${Buffer.from(JSON.stringify(parts)).toString('base64url')}.${signature}`;
  for (const invalidToken of [
    forgeToken('other', transactionId, confirmationId, purpose),
    forgeToken(tenant, transactionId, confirmationId, 'answer'),
    forgeToken(tenant, transactionId, confirmationId),
    `${body}.${signature}x`,
    body ?? '',
    `${token}.x`,
    '',
    'x.y',
    `${token} `,
  ])
    expect(readHostedPageToken(testKeys, invalidToken)).toBeUndefined();
  expect(readHostedPageToken(otherKeys, token)).toBeUndefined();
});

test.each([
  ['+5215512345678', '+525512345678'],
  ['+54111523456789', '+5491123456789'],
  ['+541123456789', '+5491123456789'],
  ['+551187654321', '+5511987654321'],
  ['+22997123456', '+2290197123456'],
  ['+22507123456', '+2250707123456'],
  ['+330612345678', '+33612345678'],
])('the number %s belongs to the phone %s, so both share limits, opt-outs and replies', (spelling, phone) => {
  expect(hashDestination(testKeys, spelling)).toBe(hashDestination(testKeys, phone));
});

test.each([
  ['+551133334444', '+5511933334444'],
  ['+22520123456', '+2250720123456'],
  ['+393331234567', '+3903331234567'],
])('the numbers %s and %s belong to two phones', (phone, otherPhone) => {
  expect(hashDestination(testKeys, phone)).not.toBe(hashDestination(testKeys, otherPhone));
});

test('the hash of a phone in E.164 has not changed since the first release, so saved opt-outs stay valid', () => {
  expect(['+5511987654321', '+525512345678', '+14155552671'].map((phone) => hashDestination(testKeys, phone))).toEqual([
    'V211k1qlsgnvPHQWhkF1kUL40yf0AHCIioabBeKpKI4',
    'nRtsI4lILS9gCsir1SSg8C0LawkNM8Xekwe-ReqqBK4',
    'hFeMd9QkFKCwbUJI8V9owaStwz9TxR-jVdMzQS0OmAI',
  ]);
});
