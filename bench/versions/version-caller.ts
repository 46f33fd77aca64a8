import { performance } from 'node:perf_hooks';
import type { Stack } from '../../dev/stack/stack';
import { visitsOf } from '../population/population';

const seed = 20_261_123;
/** The API promises an answer within 5 s. */
const answerWithinMs = 10_000;

/** One transaction of a bench and the phone that its codes go to. */
export interface Person {
  path: string;
  phone: string;
}

/** Milliseconds of every call, and how many calls were answered in a second. */
export interface Measured {
  ms: number[];
  perSecond: number;
}

/** Runs `work` for each item, `atOnce` at a time. Measures each call. */
export async function measure<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<Measured> {
  const ms: number[] = [];
  const left = [...items];
  const start = performance.now();
  const caller = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      const sent = performance.now();
      await work(item);
      ms.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return { ms, perSecond: (items.length * 1_000) / (performance.now() - start) };
}

/** A caller of one stack. It uses only what SPEC fixes, so it can call any version. */
export class VersionCaller {
  readonly #visits = visitsOf({ seed, size: 1_000_000 });
  #number = 900_000_000;

  constructor(
    readonly stack: Stack,
    private readonly token: string,
  ) {}

  async #call(method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.stack.addresses.api}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }

  /** Creates a transaction whose phone no other one has. */
  async create(): Promise<Person> {
    const { value } = this.#visits.next();
    if (!value) throw new Error('There are no more persons.');
    const number = (this.#number += 1);
    const phone = { countryCode: 55, areaCode: 11, number };
    const { id } = await this.#call('POST', '/v1/transaction', { ...value.transaction.input, phone });
    return { path: `/v1/transaction/${String(id)}`, phone: `+5511${number}` };
  }

  async send({ path }: Person): Promise<void> {
    await this.#call('POST', `${path}/sms/tokens`);
  }

  /** The code of the newest SMS. */
  async code({ phone }: Person): Promise<string> {
    const query = new URLSearchParams({ to: phone, channel: 'sms' });
    const answer = await fetch(`${this.stack.addresses.inbox}/api/messages?${query.toString()}`);
    const [newest] = (await answer.json()) as { text: string }[];
    const code = /\b\d{6}\b/.exec(newest?.text ?? '')?.[0];
    if (!code) throw new Error(`${phone} has received no code.`);
    return code;
  }

  async validate({ path }: Person, value: string): Promise<void> {
    const { status } = await this.#call('POST', `${path}/sms/tokens/validate`, { value });
    if (status !== 'Valid') throw new Error(`The code is ${String(status)}.`);
  }

  async read({ path }: Person): Promise<void> {
    await this.#call('GET', path);
  }
}
