import type { ServerKind } from './shared-servers';

/** The environment variable with the address where suites request servers. setup-run.ts sets it. */
export const addressVariable = 'TEST_SERVERS_URL';

async function post(path: string): Promise<string> {
  // oxlint-disable-next-line node/no-process-env -- the setup of the test run sets it for its suites
  const url = process.env[addressVariable];
  if (!url) throw new Error(`${addressVariable} is not set: run the tests by npm test.`);
  const response = await fetch(`${url}/${path}`, { method: 'POST' });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

export interface AcquiredServer {
  address: string;
  /** Gives the server back for another suite. Shared servers need no release. */
  release: () => Promise<void>;
}

/** If no server is free, the test run starts a new one. */
export async function acquireServer(kind: ServerKind): Promise<AcquiredServer> {
  const address = await post(kind);
  return { address, release: async () => void (await post(`${kind}?returned=${encodeURIComponent(address)}`)) };
}
