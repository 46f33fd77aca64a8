import type { Stack } from '../../dev/stack/stack';
import { generateTransactions } from '../population/population';
import { HostedPageClient } from './hosted-page-client';

const seed = 20_260_104;
/** The API responds within 5 s after it has started to work on a command. After this time, we expect no response. */
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

/** Creates transactions on a stack, and biometrics links that the person has opened and consented to. */
export class BiometricsCaller {
  readonly #transactions = generateTransactions({ seed, size: 1_000_000 });

  constructor(
    readonly stack: Stack,
    readonly token: string,
  ) {}

  /** Sends a POST request as the caller. Throws if the response is not 2xx. */
  post(address: string, body: object = {}): Promise<Record<string, unknown>> {
    return post(address, this.token, body);
  }

  /** Creates a transaction, with `changes` to its generated input. Returns its address. */
  async createTransaction(changes: object = {}): Promise<string> {
    const { value } = this.#transactions.next();
    if (!value) throw new Error('There are no more transactions.');
    const { api } = this.stack.addresses;
    const { id } = await this.post(`${api}/v1/transaction`, { ...value.transaction.input, ...changes });
    return `${api}/v1/transaction/${String(id)}`;
  }

  /** Opens hosted pages up to the camera step, one at a time. */
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
