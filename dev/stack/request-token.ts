import { StackError } from './data-folder';
import { loadLocalSecrets, openRunningStack } from './local-secrets';

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
  const address = `http://127.0.0.1:${port ?? openRunningStack(dataDir).ports.api}/oauth2/token`;
  const { clients } = loadLocalSecrets(dataDir);
  const client = clients.find((candidate) => candidate.tenant === tenant);
  if (!client)
    throw new StackError(
      `There is no tenant ${tenant}. Use one of ${clients.map((known) => known.tenant).join(', ')}.`,
    );
  const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scopes && { scope: scopes.join(' ') }) }),
    signal: AbortSignal.timeout(requestTimeoutMs),
  }).catch(() => {
    throw new StackError(`No response from ${address}. Run \`npm start\` first.`);
  });
  const body = await response.text();
  if (!response.ok) throw new StackError(`${address} responded ${response.status}: ${body}`);
  return (JSON.parse(body) as { access_token: string }).access_token;
}
