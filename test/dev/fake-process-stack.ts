import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../dev/stack/free-port';
import { type Stack, type StackOptions, startStack } from '../../dev/stack/stack';

interface FakeProcessOptions {
  /** The process returns 503 until this file exists. */
  readyFile?: string;
  /** The process writes this file on SIGTERM. */
  stoppingFile?: string;
  /** From SIGTERM to the end of the process. */
  stopMs?: number;
}

/**
 * A script in place of a process of the service: an HTTP server on the port in the environment variable `variable`. By default, it always
 * returns 200.
 */
export const fakeProcessScript = (
  variable: string,
  { readyFile, stoppingFile, stopMs = 0 }: FakeProcessOptions = {},
): string => `
const { existsSync, writeFileSync } = require('node:fs');
const [readyFile, stoppingFile] = ${JSON.stringify([readyFile, stoppingFile])};
const server = require('node:http').createServer((_, response) => {
  response.writeHead(readyFile && !existsSync(readyFile) ? 503 : 200).end('{"access_token":"stand-in"}');
});
server.listen(Number(process.env.${variable}), '127.0.0.1');
process.on('SIGTERM', () => {
  if (stoppingFile) writeFileSync(stoppingFile, '');
  setTimeout(() => process.exit(0), ${stopMs});
});
`;

/** A folder with fakes of inbox, worker and API, for a stack with real Postgres and Temporal. */
export class FakeProcessStack {
  readonly folder = mkdtempSync(join(tmpdir(), 'countersign-stack-'));
  private readonly startedStacks: Stack[] = [];

  writeScript(name: 'inbox' | 'worker' | 'api', content: string): string {
    const file = join(this.folder, `${name}.js`);
    writeFileSync(file, content);
    return file;
  }

  async options(): Promise<
    StackOptions & { dataDir: string; ports: { api: number; inbox: number; temporal: number } }
  > {
    const [api, inbox, temporal, temporalUi, postgres] = await Promise.all(Array.from({ length: 5 }, findFreePort));
    if (!api || !inbox || !temporal || !temporalUi || !postgres) throw new Error('There are no free ports.');
    return {
      dataDir: join(this.folder, 'data'),
      ports: { api, inbox, temporal, temporalUi, postgres },
      scripts: {
        api: this.writeScript('api', fakeProcessScript('PORT')),
        inbox: this.writeScript('inbox', fakeProcessScript('INBOX_PORT')),
        worker: this.writeScript('worker', fakeProcessScript('WORKER_HEALTH_PORT')),
      },
    };
  }

  async start(options: StackOptions): Promise<Stack> {
    const stack = await startStack(options);
    this.startedStacks.push(stack);
    return stack;
  }

  async remove(): Promise<void> {
    await Promise.all(this.startedStacks.map((stack) => stack.stopAll()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
