import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { findFreePort } from '../../../dev/stack/free-port';
import { type RunningProgram, startProgram } from '../../../dev/stack/start-program';

/** Fewer connections to Postgres than any process of the service opens, so all of them share each connection. */
const connectionsToPostgres = 3;

const answers = async (address: string): Promise<boolean> => {
  const client = new Client({ connectionString: address });
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** Starts PgBouncer in transaction mode in front of a database. `address` is its address for clients. `settings`: more lines of its file. */
export async function startPgBouncer(database: string, settings: readonly string[] = []): Promise<RunningProgram> {
  // oxlint-disable-next-line node/no-process-env -- the test runner sets the path of the program
  const program = process.env['PGBOUNCER_PATH'];
  if (!program) throw new Error('PGBOUNCER_PATH is not set: run the tests by npm test.');
  const { hostname, port, username, password, pathname } = new URL(database);
  const name = pathname.slice(1);
  const listenPort = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'countersign-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `${name} = host=${hostname} port=${port} dbname=${name} user=${username} password=${decodeURIComponent(password)}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${connectionsToPostgres}`,
    'max_client_conn = 200',
    ...settings,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const address = `postgresql://${username}@127.0.0.1:${listenPort}/${name}`;
  const running = await startProgram(program, ['-q', ...user, file], address, () => answers(address));
  return {
    address,
    stop: async (signal) => {
      const code = await running.stop(signal);
      rmSync(folder, { recursive: true });
      return code;
    },
  };
}
