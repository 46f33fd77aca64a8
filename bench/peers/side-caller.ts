import { request } from 'undici';
import { generateTransactions } from '../population/population';
import { spreadPhoneNumber } from '../worker/spread-phone-number';
import type { Operation, SideDefinition } from './sides';

/** Longer than the takeover of a send by another process, which takes 10 s or a little more. */
const requestTimeoutMs = 90_000;

/** A transaction of one side. `phone`: in the format E.164. */
export interface SideTransaction {
  id: string;
  phone: string;
}

/** The status of a response, and its body. The status is 0 if the connection broke. */
export interface SideResponse {
  status: number;
  body: Record<string, unknown>;
}

/** Creates the bodies of new transactions. Every transaction has another phone, because all sides share the phones of the inbox. */
export class Persons {
  readonly #transactions = generateTransactions({ seed: 20_261_201, size: 1_000_000 });
  #phoneIndex = 0;

  next(): { body: object; phone: string } {
    const { value } = this.#transactions.next();
    if (!value) throw new Error('There are no more transactions.');
    const number = spreadPhoneNumber((this.#phoneIndex += 1));
    const phone = { countryCode: 55, areaCode: 11, number };
    return { body: { ...value.transaction.input, phone }, phone: `+5511${number}` };
  }
}

/** Calls the endpoints of one side. */
export class SideCaller {
  constructor(
    private readonly definition: SideDefinition,
    private readonly address: string,
    private readonly inboxAddress: string,
    private readonly token: string,
    private readonly persons: Persons,
  ) {}

  /** Calls an endpoint. Does not throw if the connection breaks. */
  async tryCall(operation: Operation, id: string, body?: object): Promise<SideResponse> {
    const { method, path } = this.definition.endpoints[operation];
    return this.#request(method, path(id), body).catch((error: Error) => ({
      status: 0,
      body: { message: error.message },
    }));
  }

  /** Calls an endpoint that only Countersign has. */
  get(path: string): Promise<SideResponse> {
    return this.#request('GET', path);
  }

  async #call(operation: Operation, id: string, body?: object): Promise<Record<string, unknown>> {
    const response = await this.tryCall(operation, id, body);
    if (response.status >= 200 && response.status < 300) return response.body;
    throw new Error(
      `${this.definition.title}: ${operation} responded ${response.status}: ${JSON.stringify(response.body)}`,
    );
  }

  async create(): Promise<SideTransaction> {
    const { body, phone } = this.persons.next();
    return { id: String((await this.#call('create', '', body))['id']), phone };
  }

  async send({ id }: SideTransaction): Promise<void> {
    await this.#call('send', id);
  }

  /** Checks a code. Throws if the result is not as expected. */
  async check({ id }: SideTransaction, value: string, isRight: boolean): Promise<void> {
    const { status, verified } = await this.#call(isRight ? 'right' : 'wrong', id, { value });
    const accepted = verified === true || status === 'Valid';
    if (accepted !== isRight) throw new Error(`${this.definition.title}: the code is ${String(status ?? verified)}.`);
  }

  async read({ id }: SideTransaction, operation: 'query' | 'record'): Promise<Record<string, unknown>> {
    return this.#call(operation, id);
  }

  /** Reads the code in the newest SMS from the inbox. Throws when there is no code. */
  async readCode({ phone }: SideTransaction): Promise<string> {
    const query = new URLSearchParams({ to: phone, channel: 'sms' });
    const response = await request(`${this.inboxAddress}/api/messages?${query.toString()}`);
    const [newest] = (await response.body.json()) as { text: string }[];
    const code = /\b\d{6}\b/.exec(newest?.text ?? '')?.[0];
    if (!code) throw new Error(`${this.definition.title}: ${phone} has received no code.`);
    return code;
  }

  async #request(method: 'GET' | 'POST', path: string, body?: object): Promise<SideResponse> {
    const response = await request(`${this.address}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
      headersTimeout: requestTimeoutMs,
    });
    const text = await response.body.text();
    return { status: response.statusCode, body: (text ? JSON.parse(text) : {}) as Record<string, unknown> };
  }
}
