import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Countersign } from '../../../client/index';
import { dataPaths, readJson } from '../../../dev/stack/data-folder';
import { findFreePort } from '../../../dev/stack/free-port';
import type { LocalSecrets } from '../../../dev/stack/local-secrets';
import { openGuide } from '../../support/guide';
import { waitUntil } from '../../support/wait-until';
import { differentCode, newPerson } from '../support/new-person';
import { type GetTestStack, root } from '../support/test-stack';

const run = promisify(execFile);
const guide = openGuide('client.md');

function readmeProgram(): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, program] = /<!-- client -->\n```ts\n([\s\S]+?)```/.exec(readme) ?? [];
  if (!program) throw new Error('The README has no program.');
  return program;
}

/** The strictest settings of the compiler, because some callers use them. */
const tsconfig = {
  compilerOptions: {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
    ...{ module: 'nodenext', target: 'es2022', types: ['node'], typeRoots: [join(root, 'node_modules', '@types')] },
  },
  include: ['*.mts', '*.cts'],
};

/** Installs the client outside the repository, as callers do, and runs the programs of the guide. */
export function describeClientPackage(getTestStack: GetTestStack): void {
  describe('the package of the client', () => {
    const project = mkdtempSync(join(tmpdir(), 'countersign-caller-'));
    const write = (name: string, text: string) => writeFileSync(join(project, name), text);
    const inProject = (program: string, ...options: string[]) => run(program, options, { cwd: project });
    afterAll(() => rmSync(project, { recursive: true, force: true }));

    const credentials = () => {
      const { stack } = getTestStack();
      const [client] = (readJson(dataPaths(stack.dataDir).secretsFile) as LocalSecrets).clients;
      if (!client) throw new Error('The stack has no client.');
      return { baseUrl: stack.addresses.api, clientId: client.clientId, clientSecret: client.clientSecret };
    };

    it('the package is packed and installed without a network, and its types compile in a strict project', async () => {
      const { api, inbox } = getTestStack().stack.addresses;
      write('package.json', JSON.stringify({ name: 'caller', private: true }));
      await inProject('npm', 'pack', join(root, 'dist', 'client'), '--silent');
      const tarball = readdirSync(project).find((name) => name.endsWith('.tgz')) ?? '';
      await inProject('npm', 'install', '--offline', '--no-audit', '--no-fund', '--silent', `./${tarball}`);
      expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
        'countersign-client',
      ]);
      const walk = guide.codeBlock('walk').replace('http://127.0.0.1:3000', api);
      write('readme.mts', readmeProgram().replace('http://127.0.0.1:3000', api));
      write('walk.mjs', walk.replace('http://127.0.0.1:3001', inbox));
      write('receive.mts', guide.codeBlock('receive').replace('8080', "Number(process.env['RECEIVER_PORT'])"));
      write('require.cts', "import { isProblem } from 'countersign-client';\nisProblem(0, 'erased');\n");
      write('tsconfig.json', JSON.stringify(tsconfig));
      await inProject(process.execPath, join(root, 'node_modules', 'typescript', 'bin', 'tsc'));
    });

    it('the program of the README runs with the installed package', async () => {
      const env = { ...process.env, CLIENT_SECRET: credentials().clientSecret };
      expect((await run(process.execPath, ['readme.mjs'], { cwd: project, env })).stdout).toBe('Valid Confirmed\n');
    });

    it('the programs of the guide validate a code and verify webhooks', async () => {
      const port = await findFreePort();
      const { api } = getTestStack();
      const created = await api.post('/v1/webhooks', { body: { url: `http://127.0.0.1:${port}/hooks` } });
      const { id: webhookId, secret } = created.body as { id: string; secret: string };
      const receiver = spawn(process.execPath, ['receive.mjs'], {
        cwd: project,
        env: { ...process.env, RECEIVER_PORT: String(port), WEBHOOK_SECRET: secret },
      });
      let received = '';
      receiver.stdout.on('data', (chunk: Buffer) => (received += chunk.toString()));
      try {
        const env = { ...process.env, CLIENT_SECRET: credentials().clientSecret };
        const { stdout } = await run(process.execPath, ['walk.mjs'], { cwd: project, env });
        expect(stdout).toMatch(/^[\da-f-]{36} Valid \{[\s\S]*status: 'Confirmed'/);
        await waitUntil(() => received.includes('confirmation.succeeded\n'), 30_000);
        expect(received).toMatch(/^transaction\.created\n[\s\S]*confirmation\.sent\n/);
        const forged = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' });
        expect(forged.status).toBe(401);
      } finally {
        receiver.kill();
        await api.request('DELETE', `/v1/webhooks/${webhookId}`);
      }
    });

    it('if the answer to a validation is lost, the client repeats the request, and both requests count as one attempt', async () => {
      let isLost = false;
      const fetch: typeof globalThis.fetch = async (url, init) => {
        const response = await globalThis.fetch(url, init);
        if (isLost || !(url instanceof URL) || !url.pathname.endsWith('/validate')) return response;
        isLost = true;
        throw new TypeError('The answer was lost');
      };
      const client = new Countersign({ ...credentials(), fetch });
      const person = newPerson();
      const { id } = await client.transactions.create(person.body);
      await client.confirmations.sendSmsToken(id);
      const code = await getTestStack().inbox.waitForCode(person.phone, 'sms');
      const answer = await client.confirmations.validateSmsToken(id, differentCode(code)).withResponse();
      expect([isLost, answer.data.status, answer.response.headers.get('x-attempts-remaining')]).toEqual([
        ...[true, 'Invalid', '4'],
      ]);
    });

    it('the package can be loaded by require()', async () => {
      const program = `const { Countersign, isProblem } = require('countersign-client');
        const client = new Countersign(${JSON.stringify(credentials())});
        client.transactions.retrieve('8a6e0804-2bd0-4672-b79d-d97027f9071a')
          .catch((error) => console.log(isProblem(error, 'transaction_not_found'), error.detail));`;
      const { stdout } = await inProject(process.execPath, '-e', program);
      expect(stdout).toBe('true Check the id. It is the `id` in the response of POST /v1/transaction.\n');
    });
  });
}
