import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { runTemporal } from '../../worker/temporal.cli';
import { searchAttributes } from '../../workflows/contract/start';
import { openDevServer } from '../support/servers/open-environment';
import { startPostgres, type TestPostgres } from '../support/postgres';

let env: TestWorkflowEnvironment;
let postgres: TestPostgres;
let settings: NodeJS.ProcessEnv;
beforeAll(async () => {
  env = await openDevServer('temporal');
  postgres = await startPostgres();
  settings = { DATABASE_URL: await postgres.createDatabase(), TEMPORAL_ADDRESS: env.address };
});
afterAll(async () => {
  await env.teardown();
  await postgres.stop();
});

async function run(args: readonly string[], namespace: string): Promise<[number, string]> {
  const lines: string[] = [];
  const output = { write: (line: string) => lines.push(line) > 0 };
  const environment = () => ({ ...settings, TEMPORAL_NAMESPACE: namespace });
  const code = await runTemporal(args, { environment, stdout: output, stderr: output });
  return [code, lines.join('')];
}

test('npm run temporal -- prepare creates the namespace and its search attributes, and can be repeated', async () => {
  const namespace = `prepared-${randomUUID()}`;
  const registered = 'The search attributes are registered.\n';
  expect(await run(['prepare'], namespace)).toEqual([0, `The namespace ${namespace} was created.\n${registered}`]);
  expect(await run(['prepare'], namespace)).toEqual([0, `The namespace ${namespace} exists.\n${registered}`]);
  const { config } = await env.connection.workflowService.describeNamespace({ namespace });
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(3 * 86_400);
  expect(Object.values(config?.customSearchAttributeAliases ?? {}).toSorted()).toEqual(
    Object.values(searchAttributes)
      .map(({ name }) => name)
      .toSorted(),
  );
});

test('an invalid argument changes nothing and prints the usage', async () => {
  expect(await run(['prepare', '--retention', '0'], 'default')).toEqual([1, expect.stringContaining('--retention')]);
  expect(await run([], 'default')).toEqual([1, expect.stringContaining('npm run temporal -- prepare')]);
});
