import path from 'node:path';
import { parseArgs } from 'node:util';
import { openImageStore } from '../../images/s3-store';
import { readBackupConfig } from '../../platform/config';
import { createServiceKeys } from '../../platform/keys/service-keys';
import { directUrl } from '../../platform/postgres/postgres';
import { type CommandContext, runOnDatabase } from '../../platform/postgres/command-database';
import { openErasureLog } from '../../store/privacy/erasure-log';
import { missingServiceKeys, readKeysPart } from './manifest';
import { targetOf } from './postgres-programs';
import { Progress } from './progress';
import { takeBackup } from './take-backup';

const usage = `Usage:
  npm run backup -- --to <folder>

Backs up Postgres and the images while the service runs: first all tables without the data keys, then the data keys, then
the images. The folder holds all backups:
  main/<id>         all other tables
  data-keys/<id>    the data keys. Keep them for a short time only: they make erased data readable
  images            the encrypted images, shared by all backups

Options:
  --images yes|no            copy the images; default: yes, but no if they are in a bucket, which can keep versions itself
  --keep-keys <days>         delete backups of the data keys that are older, and images erased before (default: 7)

The settings are those of the worker: DATABASE_URL, SERVICE_KEY, IMAGES_DIR and so on. If DATABASE_URL is not set, the
command uses the local stack (npm start). It needs pg_dump of the major version of the server.
`;

/** Takes a backup. Returns the exit code: 1 if it failed. */
export function runBackup(args: readonly string[], context: CommandContext): Promise<number> {
  const { stdout } = context;
  return runOnDatabase(context, async (open) => {
    const options = {
      help: { type: 'boolean', short: 'h' },
      to: { type: 'string' },
      images: { type: 'string' },
      'keep-keys': { type: 'string', default: '7' },
    } as const;
    const { values } = parseArgs({ args: [...args], options });
    const keepKeysDays = Number(values['keep-keys']);
    if (values.help || values.to === undefined) {
      stdout.write(usage);
      return values.help ? 0 : 1;
    }
    if (!(keepKeysDays > 0)) throw new Error('--keep-keys must be a number of days, such as 7.');
    if (values.images !== undefined && values.images !== 'yes' && values.images !== 'no')
      throw new Error('--images must be yes or no.');
    const { settings } = open(readBackupConfig);
    const databaseUrl = directUrl(settings);
    const bucket = settings.IMAGES_S3_BUCKET;
    const copiesImages = values.images === 'yes' || (values.images === undefined && bucket === undefined);
    const to = path.resolve(values.to);
    const id = await takeBackup({
      databaseUrl,
      target: targetOf(databaseUrl, context.environment()),
      to,
      erasureLog: openErasureLog(settings),
      serviceKeys: createServiceKeys(settings.SERVICE_KEY, settings.OTHER_SERVICE_KEYS),
      images: copiesImages
        ? {
            store: openImageStore(settings),
            place: bucket === undefined ? `IMAGES_DIR (${path.resolve(settings.IMAGES_DIR)})` : `The bucket ${bucket}`,
          }
        : undefined,
      keepKeysDays,
      progress: new Progress(stdout),
    });
    if (!copiesImages && bucket !== undefined)
      stdout.write(
        `The images are in the bucket ${bucket}: keep versions of its objects there, or add --images yes.\n`,
      );
    const lacking = missingServiceKeys((await readKeysPart(to, id)).manifest, settings);
    if (lacking.length > 0)
      stdout.write(
        `Warning: some data keys need the service keys ${lacking.join(', ')}, which are in neither SERVICE_KEY nor OTHER_SERVICE_KEYS. A restore needs them.\n`,
      );
    stdout.write(`Backup ${id} is complete in ${to}.\n`);
    return 0;
  });
}
