import { loadLocalSecrets } from './local-secrets';
import { requestToken } from './request-token';
import { isExternal, type StackSettings } from './settings';

/** Timeout of one request to the local API or the inbox. */
const requestTimeoutMs = 10_000;

/** Sends a request with a JSON body, and returns the JSON of the response. Throws if the response is not 2xx. */
async function send<T>(
  method: string,
  url: string,
  { token, body }: { token?: string; body?: object } = {},
): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} responded ${response.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/**
 * Registers the inbox as a webhook of each local tenant, for the events of notify steps. The inbox also simulates the servers of callers.
 * If the webhook exists from an earlier start, it gets the new port and a new secret.
 */
export async function registerInbox(settings: StackSettings): Promise<void> {
  if (isExternal.inbox(settings)) return;
  const { dataDir, ports } = settings;
  const inboxUrl = `http://127.0.0.1:${ports.inbox}`;
  const webhooksUrl = `http://127.0.0.1:${ports.api}/v1/webhooks`;
  const register = async (tenant: string) => {
    const token = await requestToken({ dataDir, port: ports.api, tenant, scopes: ['webhooks:manage'] });
    const url = `${inboxUrl}/webhooks/${tenant}`;
    const body = { url, events: ['flow_run.notified'] };
    const { webhooks } = await send<{ webhooks: { id: string; url: string }[] }>('GET', webhooksUrl, { token });
    const known = webhooks.find((webhook) => new URL(webhook.url).pathname === `/webhooks/${tenant}`);
    if (known) await send('PUT', `${webhooksUrl}/${known.id}`, { token, body });
    const { secret } = known
      ? await send<{ secret: string }>('POST', `${webhooksUrl}/${known.id}/secret`, {
          token,
          body: { earlierSecretSeconds: 0 },
        })
      : await send<{ secret: string }>('POST', webhooksUrl, { token, body });
    await send('PUT', `${inboxUrl}/api/webhook-secrets/${tenant}`, { body: { secret } });
  };
  await Promise.all(loadLocalSecrets(dataDir).clients.map(({ tenant }) => register(tenant)));
}
