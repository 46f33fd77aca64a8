import path from 'node:path';
import { eraseAllImages } from '../../images/erase-images';
import { destroyUnusedKeys, findStoredImages } from '../../images/images.sql';
import type { ImageStore } from '../../images/object-stores';
import type { TransactionKeys } from '../../platform/keys/data-keys';
import { dataKeyContext } from '../../platform/keys/data-keys';
import { countDataKeys, type DataKeyRow, findKeysOfOtherServiceKeys } from '../../platform/keys/data-keys.sql';
import { holdDatabase, openKeys, raiseEventFloor, releaseDatabase } from '../../platform/keys/root-secret';
import { BrokenSealError } from '../../platform/keys/seal';
import { type ServiceKeys, UnknownServiceKeyError } from '../../platform/keys/service-keys';
import { replaceSigningKeys } from '../../platform/keys/signing-keys';
import { inTransaction, migrate, type Pool } from '../../platform/postgres/postgres';
import type { Session } from '../../platform/postgres/session';
import type { Logger } from '../../platform/logger';
import { eraseTransaction } from '../../store/privacy/erase-transaction';
import type { ErasureLog } from '../../store/privacy/erasure-log';
import { markOutcomesUnknown } from '../../store/messages/sends/sent-messages.sql';
import type { TenantTransaction } from '../../store/transactions/erased-records.sql';
import {
  countTransactions,
  deleteKeysOfOthers,
  endRestoredTransaction,
  findOpenTransactions,
  findTransactionsWithoutKey,
  makeDue,
} from '../../store/transactions/restored-records.sql';
import { drain, type DrainDependencies } from '../deployment/drain';
import { clockDifferenceMs, compareWithTemporal, openTransactionsQuery } from './compare';
import { restoreImages } from './images';
import { BackupError, type BackupPart, folders, type KeysManifest, type MainManifest } from './manifest';
import { type ProgramTarget, restoreDump } from './postgres-programs';
import { formatCount, type Progress } from './progress';
import type { RestoreReport } from './report';

export interface RestoreOptions {
  /** The address of Postgres itself. */
  databaseUrl: string;
  target: ProgramTarget;
  /** The folder of all backups. */
  from: string;
  main: BackupPart<MainManifest>;
  keys: BackupPart<KeysManifest>;
  pool: Pool;
  session: Session;
  serviceKeys: ServiceKeys;
  transactionKeys: TransactionKeys;
  /** Undefined: erasures after the backup are not applied again. */
  erasureLog: Pick<ErasureLog, 'readSince'> | undefined;
  images: ImageStore;
  temporal: { namespace: string; drain: DrainDependencies };
  progress: Progress;
  logger: Logger;
  /** Gets the report while API and worker still cannot start. If it throws, the restore is not complete. */
  onReport: (report: RestoreReport) => void;
}

const textOf = ({ tenant, id }: TenantTransaction) => `${tenant}/${id}`;

/**
 * Restores a backup into an empty database, and makes the records the only truth: erases again what was erased after the backup, ends what
 * was open, and ends every workflow, so that each transaction continues from its record. No API and no worker may run, and none starts until
 * the restore is complete. Throws BackupError and PostgresProgramError.
 */
export async function restore(options: RestoreOptions): Promise<void> {
  const { main, keys, pool, session, serviceKeys, progress, databaseUrl, temporal } = options;
  const environment = await restoreTables(options);
  await migrate(databaseUrl, options.logger);
  const rootKeys = await openKeys(pool, serviceKeys);
  await raiseEventFloor(session);
  // The backup may have a key that was replaced because it had leaked.
  await replaceSigningKeys(pool, rootKeys.serviceKeys);
  const keysDeleted = await deleteKeysOfOthers(session);
  const erased = await progress.step(
    'erase again',
    () => eraseAgain(options),
    ({ erasedAgain, erasedWithoutKey }) => formatCount(erasedAgain.length + erasedWithoutKey.length),
  );
  const unreadable = await progress.step(
    'check data keys',
    (update) => checkKeys(session, rootKeys.serviceKeys, update),
    ({ size }) => (size === 0 ? '' : `${formatCount(size)} unreadable`),
  );
  const images = await progress.step(
    'images',
    async (update) =>
      restoreImages(options.images, await findStoredImages(session), path.join(options.from, folders.images), update),
    ({ copied }) => `${formatCount(copied)} copied back`,
  );
  const { namespace, drain: dependencies } = temporal;
  // The workflows that continue from their records start later.
  const query = openTransactionsQuery(dependencies.taskQueue, new Date(Date.now() + clockDifferenceMs));
  const compared = await progress.step(
    'compare with Temporal',
    (update) =>
      compareWithTemporal(dependencies.client, { namespace, query, backedUpAt: main.manifest.at }, session, update),
    ({ open }) => `${formatCount(open.length)} open workflows`,
  );
  const withoutKey = await findTransactionsWithoutKey(session);
  const skipped = new Set(withoutKey.map(textOf));
  /** Does something with a record, unless it cannot be read. */
  const whenReadable: WhenReadable = async (target, work) => {
    if (skipped.has(textOf(target)) || unreadable.has(textOf(target))) return undefined;
    return work().catch((error: unknown) => {
      if (!isUnreadable(error)) throw error;
      unreadable.add(textOf(target));
      return undefined;
    });
  };
  const ended = await progress.step(
    'end what was open',
    (update) => endOpen(options, whenReadable, update),
    (list) => formatCount(list.length),
  );
  const messagesUnknown = await markOutcomesUnknown(session);
  const resumed = await makeDue(session);
  // A transaction that cannot be read cannot continue.
  const findState: DrainDependencies['findState'] = (target) =>
    whenReadable(target, () => dependencies.findState(target));
  await progress.step(
    'terminate workflows',
    (update) =>
      drain(
        { ...dependencies, findState },
        {
          query,
          terminateAfterMs: 0,
          onProgress: ({ moved, total }) => update(`${moved} of ${total}`),
        },
      ),
    ({ terminated }) => formatCount(terminated),
  );
  const { transactions } = await countTransactions(session);
  options.onReport({
    main: { id: main.manifest.id, at: main.manifest.at },
    dataKeys: { id: keys.manifest.id, at: keys.manifest.at },
    transactions,
    ...erased,
    ended,
    resumed,
    withoutKey: withoutKey.map(textOf),
    unreadable: [...unreadable],
    keysWithoutTransaction: keysDeleted.withoutTransaction,
    keysErasedAgain: keysDeleted.erased,
    messagesUnknown,
    imagesRestored: images.copied,
    imagesMissing: images.missing,
    workflows: { ...compared, open: compared.open.length },
  });
  await releaseDatabase(session, environment);
}

/** Restores both dumps. Policies and indexes come last, because Postgres cannot copy rows into a table with row-level security. */
async function restoreTables({ target, main, keys, session, progress }: RestoreOptions): Promise<string | null> {
  const file = (part: BackupPart<MainManifest | KeysManifest>) => path.join(part.folder, part.manifest.file.name);
  await progress.step('tables', (update) => restoreDump(target, file(main), 'pre-data', update));
  await progress.step('rows', (update) => restoreDump(target, file(main), 'data', update));
  const environment = await holdDatabase(session);
  await progress.step('data keys', (update) => restoreDump(target, file(keys), 'data', update));
  await progress.step('indexes', (update) => restoreDump(target, file(main), 'post-data', update));
  const [found, dataKeys] = [await countTransactions(session), await countDataKeys(session)];
  if (found.transactions !== main.manifest.transactions || dataKeys !== keys.manifest.dataKeys)
    throw new BackupError(
      `The restored database has ${found.transactions} transactions and ${dataKeys} data keys, but the backup has ${main.manifest.transactions} and ${keys.manifest.dataKeys}. Run the command again with --overwrite.`,
    );
  return environment;
}

const keysPerBatch = 1_000;

type WhenReadable = <Result>(target: TenantTransaction, work: () => Promise<Result>) => Promise<Result | undefined>;

/** Whether a data key or a record cannot be decrypted. Everything else can be restored. */
const isUnreadable = (error: unknown) => error instanceof BrokenSealError || error instanceof UnknownServiceKeyError;

/** Decrypts every data key. Returns the owners of those that cannot be decrypted, as `tenant/owner`. */
async function checkKeys(
  session: Session,
  serviceKeys: ServiceKeys,
  update: (text: string) => void,
): Promise<Set<string>> {
  const unreadable = new Set<string>();
  let checked = 0;
  for (let after; ; ) {
    const batch: DataKeyRow[] = await findKeysOfOtherServiceKeys(session, [], after, keysPerBatch);
    for (const { purpose, keyId, wrapped, ...owner } of batch)
      await serviceKeys.unwrap({ keyId, wrapped }, dataKeyContext(owner, purpose)).catch((error: unknown) => {
        if (!isUnreadable(error)) throw error;
        unreadable.add(textOf({ tenant: owner.tenant, id: owner.owner }));
      });
    checked += batch.length;
    update(formatCount(checked));
    if (batch.length < keysPerBatch) return unreadable;
    after = batch.at(-1);
  }
}

/**
 * Erases what was erased after the backup: what the erasure log has and, if the data keys are newer than the tables, the transactions whose
 * key is gone. The workflows are ended later, together with all others.
 */
async function eraseAgain({ pool, session, transactionKeys, erasureLog, main, keys }: RestoreOptions) {
  const dependencies = {
    pool,
    transactionKeys,
    // They are in the log already, or no key can bring them back.
    erasureLog: { append: async () => undefined },
    endWorkflow: async () => false,
  };
  const [erasedAgain, imagesErasedAgain, erasedWithoutKey]: [string[], string[], string[]] = [[], [], []];
  const earlierPart = main.manifest.at < keys.manifest.at ? main.manifest.at : keys.manifest.at;
  const startedMs = Date.now();
  const erase = async (target: TenantTransaction, list: string[]) => {
    const erasure = await eraseTransaction(dependencies, target, 'restore');
    if (erasure && Date.parse(erasure.erasedAt) >= startedMs - clockDifferenceMs) list.push(textOf(target));
  };
  for await (const { tenant, id, part, at } of erasureLog?.readSince(new Date(earlierPart)) ?? []) {
    if (part === 'transaction') await erase({ tenant, id }, erasedAgain);
    else if (Date.parse(at ?? '') > Date.parse(main.manifest.at) - loggedEarlierMs) {
      const count = await inTransaction(pool, (client) => eraseAllImages(client, { tenant, owner: id }, 'restore'));
      if (count > 0) imagesErasedAgain.push(`${tenant}/${id}`);
    }
  }
  if (keys.manifest.at >= main.manifest.at)
    for (const target of await findTransactionsWithoutKey(session)) await erase(target, erasedWithoutKey);
  await destroyUnusedKeys(session);
  return { erasedAgain, imagesErasedAgain, erasedWithoutKey };
}

/**
 * The clock of the process that writes the log may be behind the clock of Postgres, and an erasure is logged some seconds before it is
 * committed. Images that were erased and taken again within this time before the backup are erased too.
 */
const loggedEarlierMs = 5 * 60_000;

/** Ends what is open in all transactions that can be read. Returns them. */
async function endOpen(
  { pool, session, transactionKeys, main }: RestoreOptions,
  whenReadable: WhenReadable,
  update: (text: string) => void,
): Promise<string[]> {
  const at = new Date().toISOString();
  const endedIds: string[] = [];
  for (let after: TenantTransaction | undefined; ; ) {
    const page = await findOpenTransactions(session, main.manifest.at, after);
    for (const target of page) {
      if (await whenReadable(target, () => endRestoredTransaction(pool, transactionKeys, target, at)))
        endedIds.push(textOf(target));
      update(formatCount(endedIds.length));
    }
    after = page.at(-1);
    if (!after) return endedIds;
  }
}
