import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataPaths } from '../../../dev/stack/data-folder';
import { startStack } from '../../../dev/stack/stack';
import { ApiClient } from '../../acceptance/support/api-client';
import { fetchContract } from '../../acceptance/support/openapi-contract';
import { newPerson } from '../../acceptance/support/new-person';
import { root, startTestStack, type TestStack } from '../../acceptance/support/test-stack';

/** The older release is installed and built: about two minutes on a slow machine. */
const testWithinMs = 900_000;

const run = (cwd: string, file: string, ...args: string[]) =>
  execFileSync(file, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Builds the release before the newest migration. Returns its folder. */
function buildOlderRelease(): string {
  const migration = run(root, 'git', 'log', '-1', '--diff-filter=A', '--format=%H', '--', 'platform/migrations');
  if (!migration) throw new Error('This test needs the history of the repository: use a full clone.');
  const folder = mkdtempSync(join(tmpdir(), 'countersign-older-'));
  run(folder, 'sh', '-c', `git -C '${root}' archive ${migration}^ | tar x`);
  run(folder, 'npm', 'ci', '--no-audit', '--no-fund');
  run(folder, process.execPath, join('dev', 'build.mjs'));
  return folder;
}

let folder = '';
let testStack: TestStack;
beforeAll(async () => {
  folder = buildOlderRelease();
  testStack = await startTestStack();
}, testWithinMs);
afterAll(async () => {
  await testStack.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Creates a transaction, and confirms its phone and its mailbox. Returns its path. */
async function confirmPerson({ api, inbox }: Pick<TestStack, 'api' | 'inbox'>): Promise<string> {
  const person = newPerson();
  const path = await api.createTransaction(person.body);
  for (const [kind, channel, to] of [
    ['sms', 'sms', person.phone],
    ['emails', 'email', person.email],
  ] as const) {
    expect((await api.post(`${path}/${kind}/tokens`)).status).toBe(201);
    const value = await inbox.waitForCode(to, channel);
    expect((await api.post(`${path}/${kind}/tokens/validate`, { body: { value } })).body).toMatchObject({
      status: 'Valid',
    });
  }
  return path;
}

test(
  'the release before the newest migration works on the new schema, and both releases read the records of the other',
  async () => {
    const { stack, api } = testStack;
    const byNewer = await confirmPerson(testStack);
    const readByNewer = await api.getAll(byNewer);
    await stack.stopAll();
    // The older release can be from before worker versions. The current version of this Temporal would get all its workflows.
    rmSync(dataPaths(stack.dataDir).temporalFile, { force: true });
    const older = await startStack({
      dataDir: stack.dataDir,
      ports: stack.settings.ports,
      scripts: { api: join(folder, 'dist', 'api', 'main.js'), worker: join(folder, 'dist', 'worker', 'main.js') },
    });
    testStack.stack = older;
    const olderApi = new ApiClient(older.addresses.api, await fetchContract(older.addresses.api), await older.token());
    expect(await olderApi.getAll(byNewer)).toEqual(readByNewer);
    const byOlder = await confirmPerson({ api: olderApi, inbox: testStack.inbox });
    const readByOlder = await olderApi.getAll(byOlder);
    await testStack.restart();
    expect(await api.getAll(byOlder)).toEqual(readByOlder);
    expect(await confirmPerson(testStack)).toBeDefined();
  },
  testWithinMs,
);
