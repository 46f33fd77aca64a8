import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { finished, pipeline } from 'node:stream/promises';
import { Transform } from 'node:stream';

/** pg_dump or pg_restore failed. The message is for operators. */
export class PostgresProgramError extends Error {
  override name = 'PostgresProgramError';
}

/** A file of a backup. */
export interface BackupFile {
  name: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** The address without the password, which would be visible in the list of processes, and the environment that has it. */
function connectionOf(databaseUrl: string): { address: string; env: NodeJS.ProcessEnv } {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = '';
  return {
    address: url.href,
    env: {
      ...process.env,
      ...(password !== '' && { PGPASSWORD: password }),
      // The role of the service sees no rows without this setting.
      PGOPTIONS: `${process.env['PGOPTIONS'] ?? ''} -c countersign.tenant=*`.trim(),
    },
  };
}

const lastLines = 3;

function start(program: 'pg_dump' | 'pg_restore', args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new PostgresProgramError(
              `${program} is not installed. Install the client programs of Postgres, in the major version of your server (apt.postgresql.org: postgresql-client-16), or add their folder to PATH.`,
            )
          : error,
      ),
    );
    child.on('close', (code) => {
      if (code === 0) return resolve();
      const advice = errors.includes('server version mismatch')
        ? ' Install the client programs of the major version of your server, from apt.postgresql.org, or add their folder to PATH.'
        : '';
      const text = errors
        .trim()
        .split('\n')
        .filter((line) => !verboseLine.test(line))
        .slice(-lastLines)
        .join('\n');
      reject(new PostgresProgramError(`${program} ended with code ${code}: ${text}.${advice}`));
    });
  });
  // The caller awaits it after the output has ended.
  ended.catch(() => undefined);
  return { child, ended };
}

/** What pg_restore reports with --verbose. */
const verboseLine = /^pg_restore: (?!error|warning)/;

/** Writes a dump to a file, durably. `onBytes` gets the size so far. Throws PostgresProgramError. */
export async function dump(
  databaseUrl: string,
  file: { path: string; name: string },
  args: readonly string[],
  onBytes: (bytes: number) => void,
): Promise<BackupFile> {
  const { address, env } = connectionOf(databaseUrl);
  const options = ['--format=custom', '--no-owner', '--no-privileges', '--enable-row-security', '--no-password'];
  const { child, ended } = start('pg_dump', [`--dbname=${address}`, ...options, ...args], env);
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      onBytes(bytes);
      done(null, chunk);
    },
  });
  await pipeline(child.stdout, measure, createWriteStream(file.path, { flags: 'wx', mode: 0o600, flush: true }));
  await ended;
  return { name: file.name, bytes, sha256: hash.digest('hex') };
}

/** Restores a part of a dump. `onStep` gets what is restored now. Throws PostgresProgramError after the first error. */
export async function restoreDump(
  databaseUrl: string,
  file: string,
  section: 'pre-data' | 'data' | 'post-data',
  onStep: (step: string) => void,
): Promise<void> {
  const { address, env } = connectionOf(databaseUrl);
  const options = ['--no-owner', '--no-privileges', '--exit-on-error', '--no-password', '--verbose'];
  const { child, ended } = start('pg_restore', [`--dbname=${address}`, `--section=${section}`, ...options, file], env);
  child.stdout.resume();
  child.stderr.on('data', (chunk: Buffer) => {
    const step = /^pg_restore: (?:processing data for table|creating) (.+)$/m.exec(chunk.toString())?.[1];
    if (step) onStep(step);
  });
  await finished(child.stdout).catch(() => undefined);
  await ended;
}
