import { dataPaths, readJson } from './data-folder';
import type { LocalSecrets } from './local-secrets';
import type { RunningStack } from './running-stack';
import { StackError } from './stack-error';

/** For which tenant and scopes a token is requested. Without `scopes`, the token has all scopes of the client. */
export interface TokenRequest {
  dataDir: string;
  /** Port of the API. Default: the port of the running stack. */
  port?: number | undefined;
  tenant?: string | undefined;
  scopes?: string[] | undefined;
}

/** Time for the local API to respond. */
const requestTimeoutMs = 10_000;

/** Gets an access token from the local stack on this data folder. Throws StackError when this fails. */
export async function requestToken({ dataDir, port, tenant = 'local', scopes }: TokenRequest): Promise<string> {
  const { secretsFile, runningFile } = dataPaths(dataDir);
  const runningStack = readJson(runningFile) as RunningStack | undefined;
  const clients = (readJson(secretsFile) as LocalSecrets | undefined)?.clients;
  if (!clients)
    throw new StackError(
      `There is no local stack on ${dataDir}. Run \`npm start\` first. If it runs with another DATA_DIR, set the same one for this command.`,
    );
  const client = clients.find((candidate) => candidate.tenant === tenant);
  if (!client) {
    throw new StackError(
      `There is no tenant ${tenant}. Use one of ${clients.map((known) => known.tenant).join(', ')}.`,
    );
  }
  const address = `http://127.0.0.1:${port ?? runningStack?.ports.api ?? 3000}/oauth2/token`;
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scopes && { scope: scopes.join(' ') }) });
  const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
    signal: AbortSignal.timeout(requestTimeoutMs),
  }).catch(() => {
    throw new StackError(`No response from ${address}. Run \`npm start\` first.`);
  });
  const body = await response.text();
  if (!response.ok) throw new StackError(`${address} responded ${response.status}: ${body}`);
  return (JSON.parse(body) as { access_token: string }).access_token;
}
