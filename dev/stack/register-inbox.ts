import { dataPaths, readJson, writeJson } from './data-folder';
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

interface SavedWebhook {
  id: string;
  secret: string;
}

/**
 * Registers the inbox as a webhook of each local tenant, for the events of notify steps. The inbox also simulates the servers of callers.
 * The data folder has the ids of these webhooks. If the webhook exists from an earlier start, it gets the new port and a new secret. Other
 * webhooks never change, whatever their URL is.
 */
export async function registerInbox(settings: StackSettings): Promise<void> {
  if (isExternal.inbox(settings)) return;
  const { dataDir, ports } = settings;
  const inboxUrl = `http://127.0.0.1:${ports.inbox}`;
  const webhooksUrl = `http://127.0.0.1:${ports.api}/v1/webhooks`;
  const { webhooksFile } = dataPaths(dataDir);
  const ids = { ...(readJson(webhooksFile) as Record<string, string> | undefined) };
  for (const { tenant } of loadLocalSecrets(dataDir).clients) {
    const token = await requestToken({ dataDir, port: ports.api, tenant, scopes: ['webhooks:manage'] });
    const body = { url: `${inboxUrl}/webhooks/${tenant}`, events: ['flow_run.notified'] };
    const update = async (id: string): Promise<SavedWebhook> => {
      await send('PUT', `${webhooksUrl}/${id}`, { token, body });
      return send('POST', `${webhooksUrl}/${id}/secret`, { token, body: { earlierSecretSeconds: 0 } });
    };
    const { webhooks } = await send<{ webhooks: { id: string }[] }>('GET', webhooksUrl, { token });
    // The user may have deleted the webhook, or chosen another database.
    const known = webhooks.find(({ id }) => id === ids[tenant]);
    const { id, secret } = known
      ? await update(known.id)
      : await send<SavedWebhook>('POST', webhooksUrl, { token, body });
    ids[tenant] = id;
    writeJson(webhooksFile, ids);
    await send('PUT', `${inboxUrl}/api/webhook-secrets/${tenant}`, { body: { secret } });
  }
}
