import { dataFolder, readJson } from './data-folder';
import type { LocalSecrets } from './local-secrets';
import type { RunningStack } from './running-stack';
import { StackError } from './stack-error';

export interface TokenRequest {
  dataDir: string;
  /** Port of the API; the one of the running stack when unset. */
  port?: number | undefined;
  tenant?: string | undefined;
  scopes?: string[] | undefined;
}

/** Local and idle: an API that does not answer in this time hangs. */
const answerWithinMs = 10_000;

/** An access token of the local stack on this data folder. Throws StackError saying what to do when there is none. */
export async function requestToken({ dataDir, port, tenant = 'local', scopes }: TokenRequest): Promise<string> {
  const { secretsFile, runningFile } = dataFolder(dataDir);
  const running = readJson(runningFile) as RunningStack | undefined;
  const clients = (readJson(secretsFile) as LocalSecrets | undefined)?.clients;
  if (!clients)
    throw new StackError(
      `There is no local stack on ${dataDir}: run \`npm start\` first, or give the DATA_DIR of the one that runs.`,
    );
  const client = clients.find((candidate) => candidate.tenant === tenant);
  if (!client) {
    throw new StackError(
      `There is no tenant ${tenant}: use one of ${clients.map((known) => known.tenant).join(', ')}.`,
    );
  }
  const address = `http://127.0.0.1:${port ?? running?.ports.api ?? 3000}/oauth2/token`;
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scopes && { scope: scopes.join(' ') }) });
  const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
  const answer = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
    signal: AbortSignal.timeout(answerWithinMs),
  }).catch(() => {
    throw new StackError(`Nothing answers on ${address}: run \`npm start\` first.`);
  });
  const body = await answer.text();
  if (!answer.ok) throw new StackError(`${address} refused with ${answer.status}: ${body}`);
  return (JSON.parse(body) as { access_token: string }).access_token;
}
