import { Connection } from '@temporalio/client';
import { startTestServer } from '../../../dev/flow/simulation/test-server';
import { findFreePort } from '../../../dev/stack/free-port';
import { type RunningProgram, startProgram } from '../../../dev/stack/start-program';
import { searchAttributes } from '../../../workflows/contract/start';

function programOf(variable: 'TEMPORAL_CLI_PATH' | 'TEMPORAL_TEST_SERVER_PATH'): string {
  // oxlint-disable-next-line node/no-process-env -- the test runner sets the path of the program
  const path = process.env[variable];
  if (!path) throw new Error(`${variable} is not set: run the tests by npm test.`);
  return path;
}

async function hasNamespace(address: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 1_000 });
    await connection.workflowService.describeNamespace({ namespace: 'default' });
    await connection.close();
    return true;
  } catch {
    return false;
  }
}

/**
 * The dev server keeps its data in memory. It has the search attributes of the service from the start: suites would conflict if they added
 * them at the same time. `shortHistoryEvents`: after this many events, the server suggests that the workflow continues with an empty
 * history (continue-as-new). The default is 4,096.
 */
export async function startDevServer(shortHistoryEvents?: number): Promise<RunningProgram> {
  const port = await findFreePort();
  const address = `127.0.0.1:${port}`;
  const attributes = Object.values(searchAttributes).flatMap(({ name }) => ['--search-attribute', `${name}=Keyword`]);
  const args = [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--port',
    String(port),
    '--headless',
    '--log-level',
    'error',
  ];
  const settings =
    shortHistoryEvents === undefined
      ? []
      : ['--dynamic-config-value', `limit.historyCount.suggestContinueAsNew=${shortHistoryEvents}`];
  return startProgram(programOf('TEMPORAL_CLI_PATH'), [...args, ...attributes, ...settings], address, () =>
    hasNamespace(address),
  );
}

export const startSkippingServer = (): Promise<RunningProgram> =>
  startTestServer(programOf('TEMPORAL_TEST_SERVER_PATH'));
