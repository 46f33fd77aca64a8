import type { ServerKind } from './shared-servers';

/** Set by the setup of the run: where suites ask for servers. */
export const addressVariable = 'TEST_SERVERS_URL';

async function post(path: string): Promise<string> {
  // oxlint-disable-next-line node/no-process-env -- the setup of the run tells its suites by this
  const url = process.env[addressVariable];
  if (!url) throw new Error(`${addressVariable} is not set: run the tests by npm test.`);
  const response = await fetch(`${url}/${path}`, { method: 'POST' });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

export interface AcquiredServer {
  address: string;
  /** Lets another suite have it. A server that was not returned in order is never lent again. */
  release: () => Promise<void>;
}

/** Asks the run for a server, which starts when there is none free. */
export async function acquireServer(kind: ServerKind): Promise<AcquiredServer> {
  const address = await post(kind);
  return { address, release: async () => void (await post(`${kind}?returned=${encodeURIComponent(address)}`)) };
}
