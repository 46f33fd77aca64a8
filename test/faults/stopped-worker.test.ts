import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { dataFolder } from '../../dev/stack/data-folder';
import { captureKinds } from '../../domain/biometrics/biometrics';
import { beginLink } from '../acceptance/support/biometrics-link';
import { StandInVerifier } from '../acceptance/support/face-verifier';
import { shareStack } from '../acceptance/support/share-stack';
import { until } from '../acceptance/support/until';
import { type LinkAnswer, LinkBrowser } from '../api/biometrics/link-browser';
import { noise } from '../platform/images/pictures';

const verifier = new StandInVerifier();
afterAll(() => verifier.stop());
const running = shareStack(async () => ({
  env: {
    FACE_VERIFIER_URL: await verifier.start(),
    FACE_VERIFIER_TIMEOUT_MS: '60000',
    BIOMETRICS_SETTINGS: JSON.stringify({ default: { facePolicy: { approve: { similarity: 0.9, liveness: 0.9 } } } }),
  },
}));

/** Everything here takes seconds; the rest is for a machine that is busy. */
const busyMs = 60_000;

/** Repeats a step until it is answered: what has just started may take longer than a person waits. */
const patiently = (step: () => Promise<LinkAnswer>) =>
  until(async () => ((await step().catch(() => undefined))?.status ?? 500) < 500, busyMs);

/** How far the only send of a transaction came. */
async function sendState(transactionId: string): Promise<unknown> {
  const client = new Client({ connectionString: running().stack.addresses.postgres });
  await client.connect();
  try {
    const { rows } = await client.query('select state from sends where transaction_id = $1', [transactionId]);
    return (rows as { state: string }[])[0]?.state;
  } finally {
    await client.end();
  }
}

it('a worker that is told to stop ends in time, and the next one repeats its attempts without a second message', async () => {
  const { api, inbox, stack } = running();
  const { path, link, phone } = await beginLink(running);
  verifier.hangs = true;
  const person = new LinkBrowser(stack.addresses.api + new URL(link.url).pathname);
  await person.session();
  await patiently(() => person.post('/open'));
  await patiently(() => person.post('/consent'));
  const picture = await noise(900, 700);
  for (const kind of captureKinds) await patiently(() => person.upload(kind, picture));
  await patiently(() => person.post('/submit'));
  await until(() => verifier.received.length === 1, busyMs);
  await inbox.plan({ channel: 'sms', kind: 'acceptThenHang' });
  const asked = api.post(`${path}/sms/tokens`);
  await until(async () => (await inbox.messages(phone, 'sms')).length === 1, busyMs);

  // It is killed after 10 s, and then cannot write its last line.
  await stack.stop('worker');
  expect(readFileSync(dataFolder(stack.dataDir).logFile('worker'), 'utf8')).toContain('worker stopped');

  verifier.release();
  await stack.start('worker');
  await asked;
  await until(async () => (await api.all(path)).biometrics?.status === 'Approved', busyMs);
  await until(async () => (await sendState(path.split('/').at(-1) ?? '')) === 'accepted', busyMs);
  expect(verifier.received).toHaveLength(2);
  expect(await inbox.messages(phone, 'sms')).toHaveLength(1);
});
