import { randomBytes, randomInt } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { captureKinds } from '../../domain/biometrics/biometrics';
import { dataPaths } from '../../dev/stack/data-folder';
import { findFreePort } from '../../dev/stack/free-port';
import { superuser } from '../../dev/stack/postgres';
import { startTemporaryPostgres } from '../../dev/stack/temporary-postgres';
import { createServiceKeys, UnknownServiceKeyError } from '../../platform/keys/service-keys';
import { DataKeyMissingError, TransactionKeys } from '../../platform/keys/data-keys';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres/postgres';
import { findState, type RecordKeys } from '../../store/transactions/transactions.sql';
import { LinkBrowser } from '../api/biometrics/link/link-browser';
import { noiseImage } from '../images/test-images';
import { waitUntil } from '../support/wait-until';
import { openStackKeys } from '../support/stack-keys';
import { type CollectedSpan, startTraceCollector, type TraceCollector } from '../support/trace-collector';
import { backUpPostgres } from './support/physical-backup';
import { shareStack } from './support/share-stack';
import { root } from './support/test-stack';

const letters = (count: number) =>
  Array.from({ length: count }, () => String.fromCodePoint('a'.codePointAt(0)! + randomInt(26))).join('');
const digits = (count: number) => Array.from({ length: count }, () => randomInt(10)).join('');

/** A canary for each field, by the name of the field: a random value that is easy to find. No canary may be stored in clear text. */
const canaries: Record<string, string> = {};
/** Adds a canary to `canaries`, and returns its value. */
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
  endUserIp: canary('IP address', `198.51.100.${randomInt(100, 250)}`),
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

let metricsPort = 0;
let collector: TraceCollector;
const getTestStack = shareStack(async () => {
  metricsPort = await findFreePort();
  const metrics = { OTEL_METRICS_EXPORTER: 'prometheus', OTEL_EXPORTER_PROMETHEUS_PORT: String(metricsPort) };
  collector = await startTraceCollector();
  const traces = {
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '200',
  };
  return { env: { LOG_LEVEL: 'debug', ...metrics, ...traces } };
});
const api = () => getTestStack().api;
const inbox = () => getTestStack().inbox;
const phone = `+5511${phoneNumber}`;

let transactionPath = '';
/** The id of the transaction. */
const idOf = () => transactionPath.split('/').at(-1) ?? '';

/** Does everything that a person and a caller can do with one transaction. Also sends requests that fail. */
async function useTransaction(): Promise<void> {
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
  // The next three requests do not succeed. Their data must not be in logs, in problems, or in failures in the history.
  await api().post('/v1/transaction', { body: { ...person, email: canary('invalid mail address') } });
  await api().post(`${transactionPath}/sms/tokens/validate`, {
    body: { value: canary('code that is wrong', digits(10)) },
  });
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

/** The fields whose canaries are in these bytes. Codes, documents and phones count only as whole words: ids can have the same digits. */
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

/** All field names, texts and bytes in an answer of Temporal. */
function partsOf(value: unknown): string[] {
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('latin1')];
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, part]) => [name, ...partsOf(part)]);
  return typeof value === 'string' ? [Buffer.from(value).toString('latin1')] : [];
}

/** The paths of all files in a folder and in its inner folders. */
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** The files that have canaries: the path in the data folder, and the fields of these canaries. */
function searchDataFolder(): [string, string[]][] {
  const { dataDir } = getTestStack().stack;
  return filesOf(dataDir)
    .map((file): [string, string[]] => [path.relative(dataDir, file), findCanaries(readFileSync(file))])
    .filter(([, found]) => found.length > 0);
}

async function withPool<Result>(address: string, work: (pool: Pool) => Promise<Result>): Promise<Result> {
  const pool = openPool(address, createLogger('test', 'silent'), 1);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

const superuserAddress = () =>
  Object.assign(new URL(getTestStack().stack.addresses.postgres), { username: superuser }).href;

const execute = (sql: string) => withPool(superuserAddress(), (pool) => pool.query(sql));

/** All rows of all tables as text. Columns with bytes are included. */
async function readAllRows(pool: Pool): Promise<string[]> {
  await pool.query(`set bytea_output = 'escape'`);
  const tables = await pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  );
  const texts: string[] = [];
  for (const { name } of tables.rows)
    texts.push(
      ...(await pool.query<{ row: string }>(`select one::text as row from ${name} as one`)).rows.map(({ row }) => row),
    );
  return texts;
}

beforeAll(() => useTransaction());
afterAll(() => collector.stop());

test('the search finds every canary in clear text', () => {
  expect(Object.keys(canaries).length).toBeGreaterThanOrEqual(30);
  expect(findCanaries(Buffer.from(Object.values(canaries).join(' ')))).toEqual(Object.keys(canaries));
});

test('the caller still reads all canaries', async () => {
  expect((await api().get(transactionPath)).body).toMatchObject({ name: person.name, address: person.address });
});

test('no canary is in the history, the memo or the search attributes of the workflow', async () => {
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

test('the metrics of API and worker show what happened, and have no canary', async () => {
  const read = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const [ofApi, ofWorker] = [await read(metricsPort), await read(metricsPort + 1)];
  expect(ofApi).toMatch(
    /http_server_request_duration_seconds_count\{http_request_method="POST",http_route="\/v1\/transaction\/\{id\}\/sms\/tokens",http_response_status_code="201"\} 1/,
  );
  // The API saves the first two events of a transaction.
  expect(ofApi).toMatch(/countersign_events_total\{type="transaction.created"\} \d/);
  expect(ofApi).toMatch(/countersign_events_total\{type="score.changed",reason="Initial"\} \d/);
  expect(ofWorker).toContain(
    'countersign_events_total{type="confirmation.succeeded",channel="sms",kind="token",country="55"} 1',
  );
  expect(ofWorker).toMatch(/countersign_delivery_attempt_duration_seconds_count\{channel="email",outcome="sent"\} 1/);
  expect(ofWorker).toMatch(/db_client_connections\{state="idle"\} \d/);
  expect(ofWorker).toMatch(/temporal_worker_task_slots_available\{/);
  expect(findCanaries(Buffer.from(ofApi + ofWorker))).toEqual([]);
});

test('a trace leads from a request to the update, the activities, the provider and the database, and has no canary', async () => {
  const findRequest = (route: string) =>
    collector.spans.find(({ name }) => name === `POST /v1/transaction/{id}${route}`);
  await waitUntil(() => findRequest('/emails/2fa') !== undefined);
  for (const [route, provider] of [
    ['/sms/tokens', 'twilio send'],
    ['/emails/tokens', 'smtp send'],
  ] as const) {
    const request = findRequest(route);
    const trace = collector.spans.filter(({ traceId }) => traceId === request?.traceId);
    const pathTo = (span?: CollectedSpan): string[] =>
      span ? [...pathTo(trace.find(({ spanId }) => spanId === span.parentSpanId)), span.name] : [];
    const send = trace.find(({ name }) => name === provider);
    expect(send?.service).toBe('countersign-worker');
    expect(pathTo(send)).toEqual([
      request?.name,
      expect.stringMatching(/^\w*Start\w*Update/i),
      'RunActivity:deliverMessage',
      provider,
    ]);
    expect(trace.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['HandleUpdate:requestConfirmation', 'RunActivity:saveRecord', 'call reserve_send']),
    );
  }
  expect(findCanaries(Buffer.concat(collector.bodies))).toEqual([]);
});

test('no canary is in a file of Postgres (with its write-ahead log), Temporal, the logs, the images or the inbox', async () => {
  await waitUntil(async () => (await api().getAll(transactionPath)).smsToken?.status === 'Valid');
  // At a checkpoint, Postgres also writes what was only in memory.
  await execute('checkpoint');
  const { dataDir } = getTestStack().stack;
  const files = filesOf(dataDir).map((file) => path.relative(dataDir, file));
  for (const folder of ['postgres', 'temporal', 'log', 'images', 'inbox'])
    expect(files.some((file) => file.startsWith(folder))).toBe(true);
  expect(searchDataFolder()).toEqual([]);
});

test('a backup from before an erasure has no canary in its files and rows, and cannot be decrypted after the erasure', async () => {
  const { dataDir } = getTestStack().stack;
  const folder = mkdtempSync(path.join(tmpdir(), 'countersign-backup-'));
  const backup = path.join(folder, 'postgres');
  await backUpPostgres(superuserAddress(), dataPaths(dataDir).postgresDir, backup);
  expect((await api().request('DELETE', transactionPath)).status).toBe(200);
  const newestKeys = await withPool(
    superuserAddress(),
    async (pool) =>
      (await pool.query<{ keys: string }>('select json_agg(one)::text as keys from data_keys as one')).rows[0]?.keys,
  );
  expect(filesOf(backup).filter((file) => findCanaries(readFileSync(file)).length > 0)).toEqual([]);
  const restored = await startTemporaryPostgres(root, [], backup);
  const asSuperuser = Object.assign(new URL(restored.superuserAddress), { pathname: 'countersign' }).href;
  try {
    const rows = await withPool(asSuperuser, readAllRows);
    expect(rows.filter((row) => row.includes(idOf())).length).toBeGreaterThan(10);
    const findInRows = (texts: string[]) => findCanaries(Buffer.from(texts.join('\n'), 'latin1'));
    expect(findInRows(rows)).toEqual([]);
    // Checks that the search finds a canary in a column with bytes. Otherwise, the empty result above would prove nothing.
    const bytes = `convert_to('${canaries['first name']}', 'UTF8')`;
    const withControl = await withPool(asSuperuser, async (pool) => {
      await pool.query(`create table control as select ${bytes} as bytes`);
      return readAllRows(pool);
    });
    expect(findInRows(withControl)).toEqual(['first name']);
    await withPool(restored.address('countersign'), async (pool) => {
      const read = (keys: RecordKeys) => findState(pool, keys, { tenant: 'local', id: idOf() });
      // With the data keys of the backup, the record can be decrypted. So only the missing data key can cause the error in the last check
      // below.
      expect(findCanaries(Buffer.from(JSON.stringify(await read(openStackKeys(dataDir, pool)))))).toContain(
        'first name',
      );
      const otherKeys = new TransactionKeys(pool, createServiceKeys(randomBytes(32).toString('base64')));
      await expect(read(otherKeys)).rejects.toThrow(UnknownServiceKeyError);
      // Replaces the data keys of the backup with the data keys that are left after the erasure.
      await pool.query('delete from data_keys');
      await pool.query('insert into data_keys select * from json_populate_recordset(null::data_keys, $1)', [
        newestKeys,
      ]);
      expect((await pool.query('select from data_keys')).rowCount).toBeGreaterThan(0);
      await expect(read(openStackKeys(dataDir, pool))).rejects.toThrow(DataKeyMissingError);
    });
  } finally {
    await restored.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('after an erasure, no data key of the transaction is left, and the files still have no canary', async () => {
  expect((await api().request('DELETE', transactionPath)).status).toBe(200);
  await execute('vacuum');
  await execute('checkpoint');
  expect(searchDataFolder()).toEqual([]);
  const pool = openPool(getTestStack().stack.addresses.postgres, createLogger('test', 'silent'), 1);
  const { rows } = await pool.query('select from data_keys where owner = $1', [idOf()]);
  await pool.end();
  expect(rows).toEqual([]);
});
