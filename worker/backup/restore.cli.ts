import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Connection } from '@temporalio/client';
import { openImageStore } from '../../images/s3-store';
import { readBackupConfig } from '../../platform/config';
import { createServiceKeys } from '../../platform/keys/service-keys';
import { createLogger, errorName } from '../../platform/logger';
import { grpcCodes, serviceCodeOf } from '../../platform/outage';
import { directUrl, knownMigrations } from '../../platform/postgres/postgres';
import { type CommandContext, runOnDatabase } from '../../platform/postgres/command-database';
import {
  countOtherConnections,
  emptyDatabase,
  isEmptyDatabase,
  type Session,
  withSession,
} from '../../platform/postgres/session';
import { MissingNamespaceError, type NamespaceOfServer } from '../../platform/temporal/failures';
import { type ErasureLog, openErasureLog, openErasureLogFolder } from '../../store/privacy/erasure-log';
import { openDrain } from '../deployment/open-drain';
import { lockBackups } from './lock';
import {
  BackupError,
  type BackupPart,
  checkFile,
  type KeysManifest,
  type MainManifest,
  missingServiceKeys,
  readKeysPart,
  readMainPart,
} from './manifest';
import { targetOf } from './postgres-programs';
import { Progress } from './progress';
import { formatReport, type RestoreReport } from './report';
import { restore } from './restore';

const usage = `Usage:
  npm run restore -- --from <folder>

Restores a backup into an empty database. Stop the API and all workers first. Temporal must run, and may be empty, older or
newer than the backup: all its open workflows are terminated, and the transactions continue from the restored records.
What was open in the backup ends, because what happened after the backup is not known: codes that may have been used are
not accepted again, and no message is sent twice. Erasures after the backup are applied again, from the erasure log.

Options:
  --main <id>             the backup of the tables (default: the newest)
  --keys <id>             the backup of the data keys (default: the newest)
  --overwrite             delete everything that is in the database
  --erasure-log <folder>  read the erasure log from this folder, and not from ERASURE_LOG or the image store
  --without-erasure-log   restore although the erasure log is lost: what was erased after the backup is readable again
  --report <file>         write the report with all ids as JSON

The settings are those of the worker: DATABASE_URL, SERVICE_KEY, TEMPORAL_ADDRESS and so on. The command needs pg_restore
of the major version of the server.
`;

interface Parts {
  main: BackupPart<MainManifest>;
  keys: BackupPart<KeysManifest>;
}

/** Checks that this release and its settings fit the backup. Nothing has changed yet. Throws BackupError. */
async function checkBackup(
  { main, keys }: Parts,
  settings: { SERVICE_KEY: string; OTHER_SERVICE_KEYS: readonly string[] },
) {
  const known = new Set(knownMigrations());
  const unknown = main.manifest.migrations.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new BackupError(
      `The backup ${main.manifest.id} is of a newer release: this one does not know ${unknown.join(', ')}. Restore with the release that took it, or a newer one.`,
    );
  const missing = missingServiceKeys(main.manifest, settings);
  if (missing.length > 0)
    throw new BackupError(
      `The backup needs the service keys ${missing.join(', ')}. Set SERVICE_KEY to the key of that time, or add it to OTHER_SERVICE_KEYS.`,
    );
  await checkFile(main);
  await checkFile(keys);
}

async function checkLog(log: ErasureLog, { main, keys }: Parts): Promise<ErasureLog> {
  // Older tables need no entry, which the log may have removed: a transaction that was erased since has no key in newer data keys.
  const needed = main.manifest.at > keys.manifest.at ? [main.manifest, keys.manifest] : [keys.manifest];
  for (const { id } of needed)
    if (!(await log.hasBackup(id)))
      throw new BackupError(
        `The erasure log does not know the backup ${id}: it is not the log that was in use, or it is lost. Set --erasure-log, ERASURE_LOG, or IMAGES_DIR or the bucket, to where the log is. If it is lost, --without-erasure-log restores without it: repeat all erasures since the backup yourself.`,
      );
  return log;
}

/** Checks that Temporal answers and has the namespace, before anything changes. Throws MissingNamespaceError and BackupError. */
async function checkTemporal(connection: Connection, settings: NamespaceOfServer): Promise<void> {
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_ADDRESS: address } = settings;
  try {
    // Gives up after 10 s.
    await connection.ensureConnected();
    await connection.workflowService.describeNamespace({ namespace });
  } catch (error) {
    if (serviceCodeOf(error) === grpcCodes.notFound) throw new MissingNamespaceError(settings);
    throw new BackupError(
      `Temporal at ${address} does not answer (${errorName(error)}). Start it first: the restore ends its open workflows.`,
    );
  }
}

/** Checks that nothing uses the database, and that it is empty. With `overwrite`, empties it. Throws BackupError. */
async function prepareDatabase(session: Session, ownConnections: number, overwrite: boolean): Promise<void> {
  const others = (await countOtherConnections(session)) - ownConnections;
  if (others > 0)
    throw new BackupError(`${others} other connections use the database. Stop the API and all workers first.`);
  if (overwrite) return emptyDatabase(session);
  if (!(await isEmptyDatabase(session)))
    throw new BackupError(
      'The database is not empty. Restore into an empty one, or add --overwrite to delete what is in it.',
    );
}

/** What the restore cannot know. */
const afterRestore = `The restore is complete. Changes after the backup of the tables are lost, so before you start the workers and the API:
- Revoke again each client, and remove again each client secret, that was revoked or removed after the backup
  (npm run client -- list). All access tokens have ended: the signing keys were replaced.
- Opt-outs of persons after the backup are lost: repeat those that you know.
Then start the workers and the API. With WORKER_ACTIVATION=manual, also run: npm run deployment -- activate
`;

/** The file of the report. It exists before anything changes, so that the restore never ends without its report. */
interface ReportFile {
  write(report: RestoreReport): void;
  /** Removes the file if nothing was written. */
  close(): void;
}

/** Creates the file of the report. Throws BackupError if it exists, or cannot be created. */
function openReportFile(file: string): ReportFile {
  let descriptor: number;
  try {
    // The ids of transactions are in it.
    descriptor = openSync(file, 'wx', 0o600);
  } catch (error) {
    throw new BackupError(
      `--report: ${file} cannot be created (${(error as NodeJS.ErrnoException).code}). Name a new file in a folder that this user may write to. Nothing has changed.`,
    );
  }
  let isWritten = false;
  return {
    write: (report) => {
      writeFileSync(descriptor, `${JSON.stringify(report, null, 2)}\n`);
      fsyncSync(descriptor);
      isWritten = true;
    },
    close: () => {
      closeSync(descriptor);
      if (!isWritten) rmSync(file);
    },
  };
}

/** Restores a backup. Returns the exit code: 1 if it failed. */
export function runRestore(args: readonly string[], context: CommandContext): Promise<number> {
  const { stdout } = context;
  return runOnDatabase(context, async (open) => {
    const options = {
      help: { type: 'boolean', short: 'h' },
      from: { type: 'string' },
      main: { type: 'string' },
      keys: { type: 'string' },
      overwrite: { type: 'boolean', default: false },
      'erasure-log': { type: 'string' },
      'without-erasure-log': { type: 'boolean', default: false },
      report: { type: 'string' },
    } as const;
    const { values } = parseArgs({ args: [...args], options });
    if (values.help || values.from === undefined) {
      stdout.write(usage);
      return values.help ? 0 : 1;
    }
    const { pool, settings } = open(readBackupConfig);
    const databaseUrl = directUrl(settings);
    const from = path.resolve(values.from);
    const parts = { main: await readMainPart(from, values.main), keys: await readKeysPart(from, values.keys) };
    await checkBackup(parts, settings);
    const lacking = missingServiceKeys(parts.keys.manifest, settings);
    if (lacking.length > 0)
      stdout.write(
        `Warning: some data keys need the service keys ${lacking.join(', ')}, which are in neither SERVICE_KEY nor OTHER_SERVICE_KEYS. Their transactions will be unreadable.\n`,
      );
    const logFolder = values['erasure-log'];
    if (logFolder !== undefined && values['without-erasure-log'])
      throw new Error('Choose --erasure-log or --without-erasure-log, not both.');
    const log = logFolder === undefined ? openErasureLog(settings) : openErasureLogFolder(logFolder);
    const erasureLog = values['without-erasure-log'] ? undefined : await checkLog(log, parts);
    const { connection, transactionKeys, close, ...drain } = openDrain(pool, settings);
    let reportFile: ReportFile | undefined;
    try {
      await checkTemporal(connection, settings);
      if (values.report !== undefined) reportFile = openReportFile(path.resolve(values.report));
      await withSession(databaseUrl, async (session) => {
        await lockBackups(session);
        await prepareDatabase(session, pool.totalCount, values.overwrite);
        stdout.write(`Tables of ${parts.main.manifest.at}, data keys of ${parts.keys.manifest.at}\n`);
        await restore({
          databaseUrl,
          target: targetOf(databaseUrl, context.environment()),
          from,
          ...parts,
          pool,
          session,
          serviceKeys: createServiceKeys(settings.SERVICE_KEY, settings.OTHER_SERVICE_KEYS),
          transactionKeys,
          erasureLog,
          images: openImageStore(settings),
          temporal: { namespace: settings.TEMPORAL_NAMESPACE, drain },
          progress: new Progress(stdout),
          logger: createLogger('restore', 'error'),
          onReport: (report) => {
            stdout.write(`\n${formatReport(report)}\n`);
            reportFile?.write(report);
          },
        });
      });
      stdout.write(afterRestore);
      return 0;
    } finally {
      reportFile?.close();
      await close();
    }
  });
}
