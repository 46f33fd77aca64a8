import type { Stack } from '../../dev/stack/stack';
import { visitsOf } from '../population/population';
import { PersonsBrowser } from './persons-browser';

const seed = 20_260_104;
/** The API promises an answer within 5 s; an answer that takes this long will not come. */
const answerWithinMs = 15_000;

async function post(address: string, token: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answerWithinMs),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The API answered ${answer.status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/** Makes transactions of a stack, and links of them that a person has opened and consented to. */
export class OpenLinks {
  readonly #visits = visitsOf({ seed, size: 1_000_000 });

  constructor(
    readonly stack: Stack,
    readonly token: string,
  ) {}

  /** Posts as the caller. Throws when the API refuses. */
  post(address: string, body: object = {}): Promise<Record<string, unknown>> {
    return post(address, this.token, body);
  }

  /** A new transaction, with changes to what is known of its person. Gives its address. */
  async transaction(changes: object = {}): Promise<string> {
    const { value } = this.#visits.next();
    if (!value) throw new Error('There are no more persons.');
    const { api } = this.stack.addresses;
    const { id } = await this.post(`${api}/v1/transaction`, { ...value.transaction.input, ...changes });
    return `${api}/v1/transaction/${String(id)}`;
  }

  /** As many browsers, each at the step at which the camera opens. One after the other: this is not what is measured. */
  async browsers(count: number): Promise<PersonsBrowser[]> {
    const browsers: PersonsBrowser[] = [];
    while (browsers.length < count) {
      const { url } = await this.post(`${await this.transaction()}/biometrics`);
      const browser = new PersonsBrowser(String(url));
      await browser.begin();
      browsers.push(browser);
    }
    return browsers;
  }
}
