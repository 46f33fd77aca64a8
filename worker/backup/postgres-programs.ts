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

/** A database for pg_dump and pg_restore. */
export interface ProgramTarget {
  /** Of Postgres itself: the programs need a session. Without the password, which would be visible in the list of processes. */
  address: string;
  /** The environment of the programs. It has the password. */
  env: NodeJS.ProcessEnv;
}

/** `environment`: of this command, with the PATH on which the programs are. */
export function targetOf(databaseUrl: string, environment: NodeJS.ProcessEnv): ProgramTarget {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = '';
  // The role of the service sees no rows without this setting.
  url.searchParams.append('options', '-c countersign.tenant=*');
  return {
    // In this part of an address, Postgres reads a plus sign as such.
    address: url.href.replaceAll('+', '%20'),
    env: { ...environment, ...(password !== '' && { PGPASSWORD: password }) },
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
  { address, env }: ProgramTarget,
  file: { path: string; name: string },
  args: readonly string[],
  onBytes: (bytes: number) => void,
): Promise<BackupFile> {
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
  { address, env }: ProgramTarget,
  file: string,
  section: 'pre-data' | 'data' | 'post-data',
  onStep: (step: string) => void,
): Promise<void> {
  // In one database transaction, so that an interrupted restore leaves no root secret, and the database cannot be used or backed up.
  const options = ['--no-owner', '--no-privileges', '--single-transaction', '--no-password', '--verbose'];
  const { child, ended } = start('pg_restore', [`--dbname=${address}`, `--section=${section}`, ...options, file], env);
  child.stdout.resume();
  child.stderr.on('data', (chunk: Buffer) => {
    const step = /^pg_restore: (?:processing data for table|creating) (.+)$/m.exec(chunk.toString())?.[1];
    if (step) onStep(step);
  });
  await finished(child.stdout).catch(() => undefined);
  await ended;
}
