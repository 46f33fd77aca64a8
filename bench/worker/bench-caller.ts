import { performance } from 'node:perf_hooks';
import { request } from 'undici';
import type { Stack } from '../../dev/stack/stack';
import { spreadPhoneNumber } from './spread-phone-number';
import { generateTransactions } from '../population/population';

const seed = 20_261_123;
/**
 * Timeout of a request. The API responds within 5 s after it has started to work on a command. In the benches that use `BenchCaller`, no
 * command waits for another command.
 */
const requestTimeoutMs = 10_000;

/** A stack, or a cluster, as its callers know it. */
export interface ReachableStack {
  dataDir: string;
  addresses: Omit<Stack['addresses'], 'temporalUi'>;
}

/** A transaction and its phone. */
export interface BenchTransaction {
  path: string;
  phone: string;
}

/** The duration of each call, and the calls per second. */
export interface CallMeasurement {
  durationsMs: number[];
  perSecond: number;
}

/** Calls `work` for each item, and measures each call. At most `concurrency` calls run at the same time. */
export async function measureCalls<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<unknown>,
): Promise<CallMeasurement> {
  const durationsMs: number[] = [];
  const remaining = [...items];
  const start = performance.now();
  const callRemaining = async () => {
    for (let item = remaining.shift(); item !== undefined; item = remaining.shift()) {
      const callStart = performance.now();
      await work(item);
      durationsMs.push(performance.now() - callStart);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, callRemaining));
  return { durationsMs, perSecond: (items.length * 1_000) / (performance.now() - start) };
}

/** A caller of one stack. It uses only endpoints that all versions of the service have. */
export class BenchCaller {
  readonly #transactions = generateTransactions({ seed, size: 1_000_000 });
  #phoneIndex = 0;

  constructor(
    readonly stack: ReachableStack,
    private readonly token: string,
  ) {}

  /** Sends a request. Returns the body of the response. Throws if the status is not 2xx. */
  async call(method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, unknown>> {
    // The callers share the CPU with the API. `undici` needs half of the CPU time of `http`, and much less than `fetch`.
    const response = await request(`${this.stack.addresses.api}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
      headersTimeout: requestTimeoutMs,
    });
    const responseText = await response.body.text();
    if (response.statusCode >= 300)
      throw new Error(`${method} ${path} responded ${response.statusCode}: ${responseText}`);
    return JSON.parse(responseText) as Record<string, unknown>;
  }

  /** Creates a transaction with a unique phone. */
  async createTransaction(): Promise<BenchTransaction> {
    const { value } = this.#transactions.next();
    if (!value) throw new Error('There are no more transactions.');
    const number = spreadPhoneNumber((this.#phoneIndex += 1));
    const phone = { countryCode: 55, areaCode: 11, number };
    const { id } = await this.call('POST', '/v1/transaction', { ...value.transaction.input, phone });
    return { path: `/v1/transaction/${String(id)}`, phone: `+5511${number}` };
  }

  async requestSmsToken({ path }: BenchTransaction): Promise<void> {
    await this.call('POST', `${path}/sms/tokens`);
  }

  /** Reads the code in the newest SMS from the inbox. Throws when there is no code. */
  async readCode({ phone }: BenchTransaction): Promise<string> {
    const query = new URLSearchParams({ to: phone, channel: 'sms' });
    const response = await fetch(`${this.stack.addresses.inbox}/api/messages?${query.toString()}`);
    const [newest] = (await response.json()) as { text: string }[];
    const code = /\b\d{6}\b/.exec(newest?.text ?? '')?.[0];
    if (!code) throw new Error(`${phone} has received no code.`);
    return code;
  }

  async validateCode({ path }: BenchTransaction, value: string): Promise<void> {
    const { status } = await this.call('POST', `${path}/sms/tokens/validate`, { value });
    if (status !== 'Valid') throw new Error(`The code is ${String(status)}.`);
  }

  async readTransaction({ path }: BenchTransaction): Promise<void> {
    await this.call('GET', path);
  }
}
