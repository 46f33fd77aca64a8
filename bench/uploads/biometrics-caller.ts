import type { Stack } from '../../dev/stack/stack';
import { generateTransactions } from '../population/population';
import { HostedPageClient } from './hosted-page-client';

const seed = 20_260_104;
/**
 * Timeout of a request. The API answers within 15 s: at most 10 s until earlier commands of the transaction have ended, and 5 s for the
 * command itself.
 */
const requestTimeoutMs = 15_000;

async function post(address: string, token: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The API responded ${response.status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/** Creates transactions and biometrics links on a stack. Also acts as the persons who open these links and consent. */
export class BiometricsCaller {
  readonly #transactions = generateTransactions({ seed, size: 1_000_000 });

  constructor(
    readonly stack: Stack,
    readonly token: string,
  ) {}

  /** Sends a POST request with the access token. `address`: the full URL. Throws if the response is not 2xx. */
  post(address: string, body: object = {}): Promise<Record<string, unknown>> {
    return post(address, this.token, body);
  }

  /** Creates a transaction. The fields of `changes` replace fields of its generated input. Returns the URL of the transaction. */
  async createTransaction(changes: object = {}): Promise<string> {
    const { value } = this.#transactions.next();
    if (!value) throw new Error('There are no more transactions.');
    const { api } = this.stack.addresses;
    const { id } = await this.post(`${api}/v1/transaction`, { ...value.transaction.input, ...changes });
    return `${api}/v1/transaction/${String(id)}`;
  }

  /**
   * Creates biometrics links, one after another. Opens the hosted page of each link, and consents. After this, each page waits for images.
   */
  async openPages(count: number): Promise<HostedPageClient[]> {
    const clients: HostedPageClient[] = [];
    while (clients.length < count) {
      const { url } = await this.post(`${await this.createTransaction()}/biometrics`);
      const client = new HostedPageClient(String(url));
      await client.openAndConsent();
      clients.push(client);
    }
    return clients;
  }
}
