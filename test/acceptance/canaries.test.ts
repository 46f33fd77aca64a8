import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { captureKinds } from '../../domain/biometrics/biometrics';
import { superuser } from '../../dev/stack/postgres-data';
import { createLogger } from '../../platform/logger';
import { openPool } from '../../platform/postgres';
import { LinkBrowser } from '../api/biometrics/link/link-browser';
import { noiseImage } from '../platform/images/test-images';
import { waitUntil } from '../support/wait-until';
import { shareStack } from './support/share-stack';

const letters = (count: number) =>
  Array.from({ length: count }, () => String.fromCodePoint('a'.codePointAt(0)! + randomInt(26))).join('');
const digits = (count: number) => Array.from({ length: count }, () => randomInt(10)).join('');

/** A text that appears nowhere by chance, by the name of the field that has it. */
const canaries: Record<string, string> = {};
const canary = (field: string, value = `Zq${letters(10)}`): string => (canaries[field] = value);

const phoneNumber = Number(canary('phone', `9${randomInt(1, 9)}${digits(7)}`));
const email = `${canary('mailbox', `zq${letters(10)}`)}@${canary('mail domain', `zq${letters(8)}.example`)}`;
const person = {
  documentType: 'CPF',
  document: canary('document', digits(11)),
  name: `${canary('first name')} ${canary('last name')}`,
  birthdate: '1987-03-21',
  mothersName: canary("mother's name"),
  email,
  sessionId: canary('session'),
  identifierId: canary('identifier'),
  channelId: canary('channel'),
  phone: { countryCode: 55, areaCode: 11, number: phoneNumber },
  address: {
    zipCode: '01310100',
    street: canary('street'),
    number: canary('house', `Zq${digits(9)}`),
    complement: canary('complement'),
    district: canary('district'),
    city: canary('city'),
    state: 'SP',
    country: canary('country'),
  },
  genericFields: { [canary('name of a generic field')]: canary('generic field'), other: canary('other generic field') },
  card: {
    bin: '411111',
    last4: '1111',
    ownerName: canary('card owner'),
    ownerDocument: canary('document of the card owner', digits(11)),
  },
  secondaryDocumentType: 'RG',
  secondaryDocument: canary('secondary document', digits(9)),
};

const getTestStack = shareStack(async () => ({
  env: { LOG_LEVEL: 'debug' },
}));
const api = () => getTestStack().api;
const inbox = () => getTestStack().inbox;
const phone = `+5511${phoneNumber}`;

let transactionPath = '';
const idOf = () => transactionPath.split('/').at(-1) ?? '';

/** Everything that a person and a caller do with one transaction, also what fails. */
async function walk(): Promise<void> {
  transactionPath = await api().createTransaction(person);
  await api().getAll(transactionPath);
  for (const [kind, channel, to] of [
    ['sms', 'sms', phone],
    ['emails', 'email', email],
  ] as const) {
    expect((await api().post(`${transactionPath}/${kind}/tokens`)).status).toBe(201);
    const code = await inbox().waitForCode(to, channel);
    canary(`code by ${channel}`, code);
    for (const value of ['000000', code])
      expect((await api().post(`${transactionPath}/${kind}/tokens/validate`, { body: { value } })).status).toBe(200);
  }
  await api().post(`${transactionPath}/whatsapps/2fa`);
  const question = await inbox().waitForNewest(phone, 'whatsapp');
  await inbox().reply(question.id, { text: canary('reply') });
  for (const analysis of ['insights', 'ratings', 'scores']) await api().post(`${transactionPath}/${analysis}`);
  // What fails must not reveal the data either: logs, problems, failures in the history.
  await api().post('/v1/transaction', { body: { ...person, email: canary('invalid mail address') } });
  await api().post(`${transactionPath}/sms/tokens/validate`, { body: { value: canary('invalid code') } });
  await inbox().planFailures({ channel: 'email', kind: 'status', status: 550, times: 1 });
  await api().post(`${transactionPath}/emails/2fa`);
  const link = await api().post(`${transactionPath}/biometrics`, {
    body: { name: canary('name for the link') },
  });
  if (link.status !== 201) throw new Error(link.text);
  const { id, url } = link.body as { id: string; url: string };
  canary('token of the link', url.split('/').at(-1));
  const browser = new LinkBrowser(getTestStack().stack.addresses.api + new URL(url).pathname);
  await browser.readSession();
  for (const step of ['/open', '/consent']) expect((await browser.post(step)).status).toBe(200);
  const image = await noiseImage(480, 360);
  for (const kind of captureKinds) expect((await browser.upload(kind, image)).status).toBe(200);
  await browser.post('/submit');
  const decision = { status: 'Rejected', reason: canary('reason of the reviewer') };
  expect((await api().post(`/v1/reviews/${id}/decision`, { body: decision })).status).toBe(200);
}

/** The canaries in a text or file. A code counts only as a whole word: ids may contain the same digits. */
function findCanaries(bytes: Buffer): string[] {
  const text = bytes.toString('latin1').toLowerCase();
  return Object.entries(canaries)
    .filter(([field, value]) =>
      /^code|document|phone/.test(field)
        ? new RegExp(`(?<![0-9a-f-])${value}(?![0-9a-f-])`).test(text)
        : text.includes(value.toLowerCase()),
    )
    .map(([field]) => field);
}

/** All texts and bytes in a message of Temporal. */
function partsOf(value: unknown): string[] {
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('latin1')];
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, part]) => [name, ...partsOf(part)]);
  return typeof value === 'string' ? [Buffer.from(value).toString('latin1')] : [];
}

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Files with canaries, by path in the data folder. */
function searchDataFolder(): [string, string[]][] {
  const { dataDir } = getTestStack().stack;
  return filesOf(dataDir)
    .map((file): [string, string[]] => [path.relative(dataDir, file), findCanaries(readFileSync(file))])
    .filter(([, found]) => found.length > 0);
}

/** Executes a statement as the superuser. */
const execute = async (sql: string) => {
  const address = Object.assign(new URL(getTestStack().stack.addresses.postgres), { username: superuser }).href;
  const pool = openPool(address, createLogger('test', 'silent'), 1);
  try {
    await pool.query(sql);
  } finally {
    await pool.end();
  }
};

beforeAll(() => walk());

test('the search finds every canary in clear text', () => {
  expect(Object.keys(canaries).length).toBeGreaterThanOrEqual(30);
  expect(findCanaries(Buffer.from(Object.values(canaries).join(' ')))).toEqual(Object.keys(canaries));
});

test('the caller still reads all of it', async () => {
  expect((await api().get(transactionPath)).body).toMatchObject({ name: person.name, address: person.address });
});

test('no canary is in the history, memo and search attributes of the workflow', async () => {
  const connection = await Connection.connect({ address: getTestStack().stack.addresses.temporal });
  const { workflow } = new Client({ connection });
  const handle = workflow.getHandle(`transaction/local/${idOf()}`);
  const { raw } = await handle.describe();
  const history = await handle.fetchHistory();
  await connection.close();
  expect(history.events?.length).toBeGreaterThan(60);
  const parts = partsOf([raw, history]);
  expect(parts.length).toBeGreaterThan(500);
  expect(findCanaries(Buffer.from(parts.join('\n'), 'latin1'))).toEqual([]);
});

test('no canary is in a file: Postgres with its log of changes, Temporal, logs, images and inbox', async () => {
  await waitUntil(async () => (await api().getAll(transactionPath)).smsToken?.status === 'Valid');
  // Also what was only in memory.
  await execute('checkpoint');
  const { dataDir } = getTestStack().stack;
  const files = filesOf(dataDir).map((file) => path.relative(dataDir, file));
  for (const folder of ['postgres', 'temporal', 'log', 'images', 'inbox'])
    expect(files.some((file) => file.startsWith(folder))).toBe(true);
  expect(searchDataFolder()).toEqual([]);
});

test('after an erasure, no key of the transaction is left, and the files still have no canary', async () => {
  expect((await api().request('DELETE', transactionPath)).status).toBe(200);
  await execute('vacuum');
  await execute('checkpoint');
  expect(searchDataFolder()).toEqual([]);
  const pool = openPool(getTestStack().stack.addresses.postgres, createLogger('test', 'silent'), 1);
  const { rows } = await pool.query('select from data_keys where owner = $1', [idOf()]);
  await pool.end();
  expect(rows).toEqual([]);
});
