import type { components } from '../api-types';

/**
 * The key of the token in the storage of the tab. The token stays there until the tab closes, because the forms of several pages use it.
 */
const key = 'countersign.docs.access-token';

export const readAccessToken = (): string => sessionStorage.getItem(key) ?? '';

export const saveAccessToken = (token: string): void =>
  token === '' ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, token);

/** Gets an access token for a client. Throws an Error whose message the page can show. */
export async function requestAccessToken(clientId: string, clientSecret: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  // With `omit`, a rejected secret does not open the password box of the browser.
  const response = await fetch('/oauth2/token', { method: 'POST', body, credentials: 'omit' }).catch(() => {
    throw new Error('The service cannot be reached. Check the connection and try again.');
  });
  if (response.ok) return ((await response.json()) as components['schemas']['Token']).access_token;
  if (response.status === 401) throw new Error('The client id or the secret is wrong.');
  throw new Error(`No token was issued (status ${response.status}). Check the client id and the secret.`);
}
