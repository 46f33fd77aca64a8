import { setTimeout as sleep } from 'node:timers/promises';
import { newPerson } from '../acceptance/support/new-person';
import type { TestStack } from '../acceptance/support/test-stack';

/** Longer than the API takes to answer during an outage. */
const requestMs = 8_000;

/** A request of a caller. Undefined without an answer. */
export async function call(address: string, token: string, method: string, path: string, body?: object) {
  try {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(requestMs),
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as { id?: string; status?: string } };
  } catch {
    return undefined;
  }
}

/** What callers and persons do: each of `parallel` callers confirms one person after the other, with pauses, because the stack needs CPU time too. */
export class Traffic {
  /** Whether persons type their codes. */
  personsConfirm = true;
  confirmed = 0;
  #isStopped = false;
  readonly #callers: Promise<void>[];

  private constructor(
    private readonly testStack: TestStack,
    private readonly token: string,
    { parallel, pauseMs }: { parallel: number; pauseMs: number },
  ) {
    this.#callers = Array.from({ length: parallel }, async () => {
      for (; !this.#isStopped; await sleep(pauseMs)) await this.#confirm();
    });
  }

  static async start(testStack: TestStack, { parallel = 2, pauseMs = 400 } = {}): Promise<Traffic> {
    return new Traffic(testStack, await testStack.stack.token(), { parallel, pauseMs });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#callers);
  }

  /** A failed request is expected during an outage: the next person follows. */
  async #confirm(): Promise<void> {
    const send = (method: string, path: string, body?: object) =>
      call(this.testStack.stack.addresses.api, this.token, method, path, body);
    const person = newPerson();
    const { body: { id } = {} } = (await send('POST', '/v1/transaction', person.body)) ?? {};
    if (id === undefined) return;
    const path = `/v1/transaction/${id}`;
    await send('POST', `${path}/sms/tokens`);
    await send('GET', `${path}/all`);
    const [message] = await this.testStack.inbox.readMessages(person.phone, 'sms').catch(() => []);
    const [value] = /\d{6}/.exec(message?.text ?? '') ?? [];
    if (value === undefined || !this.personsConfirm) return;
    const validated = await send('POST', `${path}/sms/tokens/validate`, { value });
    if (validated?.body.status === 'Valid') this.confirmed += 1;
  }
}
