import { randomUUID } from 'node:crypto';
import { createImageCleanup } from '../../../activities/biometrics/clean-up-images';
import type { Biometrics } from '../../../domain/biometrics/biometrics';
import { createLink } from '../../../domain/biometrics/link';
import { withoutImages } from '../../../domain/biometrics/review';
import type { TransactionState } from '../../../domain/transactions/state';
import { createSealedImages } from '../../../images/sealed-images';
import { createUploads } from '../../../images/uploads';
import { createLogger } from '../../../platform/logger';
import { inTransaction, type Pool } from '../../../platform/postgres/postgres';
import { eraseRecord } from '../../../store/transactions/erased-records.sql';
import { findEvents } from '../../../store/transactions/transaction-events.sql';
import { saveState } from '../../../store/transactions/transactions.sql';
import { createMemoryStore } from '../../images/memory-store';
import { addMs, buildState, testKeys } from '../../support/build';
import { testTransactionKeys } from '../../support/test-data-converter';
import { useTestPool } from '../../support/test-pool';

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});

const logger = createLogger('test', 'silent');
const { signal } = new AbortController();
const { store } = createMemoryStore();
const openImages = () => createSealedImages(pool, testKeys, store);
const cleanUp = () =>
  createImageCleanup({ images: openImages(), uploads: createUploads(pool, testKeys), logger, signal: () => signal })();

const save = (state: TransactionState) => saveState(pool, testTransactionKeys, state, state.version - 1);

/** A saved transaction with two links. The ids of the links are unique in the database. */
async function createTransaction(): Promise<{ state: TransactionState; links: [string, string] }> {
  const links: [string, string] = [randomUUID(), randomUUID()];
  let state: TransactionState = { ...buildState(), version: 1 };
  for (const biometricsId of links) {
    const proposal = {
      biometricsId,
      tokenHash: biometricsId,
      expiresAfterMs: 1_000,
      language: 'en',
      channels: [],
    } as const;
    const texts = { messages: {}, allowedDialCodes: ['55'], imageDays: 90 };
    const result = createLink(state, { ...proposal, ...texts }, state.createdAt);
    if ('error' in result) throw new Error(result.error.type);
    state = { ...result.state, biometrics: (result.state.biometrics ?? []).map(asExpired) };
  }
  await save(state);
  return { state, links };
}

const asExpired = (link: Biometrics): Biometrics => ({ ...link, status: 'Expired' });

const saveImage = ({ tenant, id }: TransactionState, linkId: string, days: number) => {
  const deleteAfter = new Date(Date.now() + days * 86_400_000);
  return openImages().save({ tenant, owner: id, linkId, kind: 'selfie', jpeg: Buffer.from('jpeg'), deleteAfter });
};

const erasuresOf = async (state: TransactionState) => {
  const { events } = await findEvents(pool, state, { after: 0, limit: 100 });
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  return events.filter(({ type }) => type === 'biometrics.erased').map(({ data }) => data['biometricsId']);
};

test('when the last image of a link is erased after its retention time, callers get an event and a webhook', async () => {
  const { state, links } = await createTransaction();
  const { rows } = await pool.query<{ id: string }>(
    `insert into webhooks (tenant, url, events) values ($1, 'https://a.example', '{biometrics.erased}') returning id`,
    [state.tenant],
  );
  await saveImage(state, links[0], -1);
  await saveImage(state, links[0], 1);
  await saveImage(state, links[1], -1);
  await cleanUp();
  expect(await erasuresOf(state)).toEqual([links[1]]);
  const deliveries = await pool.query('select type from webhook_deliveries where webhook_id = $1', [rows[0]?.id]);
  expect(deliveries.rows).toEqual([{ type: 'biometrics.erased' }]);
  await cleanUp();
  expect(await erasuresOf(state)).toEqual([links[1]]);
  // The record, and so the retention time of the transaction, did not change.
  const changed = await pool.query('select changed_at from transactions where id = $1', [state.id]);
  expect(changed.rows).toEqual([{ changed_at: new Date(state.changedAt) }]);
});

test('a later erasure by the caller causes no second event for a link, and the record can still be saved', async () => {
  const { state, links } = await createTransaction();
  await saveImage(state, links[0], -1);
  await cleanUp();
  const at = addMs(state.createdAt, 60_000);
  const erased = withoutImages(state, at) ?? state;
  await save({ ...erased, version: 2, changedAt: at });
  expect(await erasuresOf(state)).toEqual(links);
});

test('the images of an erased transaction cause no event', async () => {
  const { state, links } = await createTransaction();
  await saveImage(state, links[0], -1);
  await inTransaction(pool, (client) => eraseRecord(client, state));
  expect(await cleanUp()).toMatchObject({ images: 1, skipped: [] });
  expect(await erasuresOf(state)).toEqual([]);
});
