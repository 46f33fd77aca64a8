import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { Stack } from '../../dev/stack/stack';

const notify = { kind: 'notify', event: 'a', giveUpAfterSeconds: 1 };

/** A text of 62 KB at most: `steps` steps with `exits` exits each, in a pattern that makes many arrows cross. */
function denseFlow(steps: number, exits: number): string {
  const exitsOf = (step: number) =>
    Object.fromEntries(Array.from({ length: exits }, (_, exit) => [`E${exit}`, `s${(step * 7 + exit * 11) % steps}`]));
  const entries = Array.from({ length: steps }, (_, step) => [`s${step}`, { ...notify, exits: exitsOf(step) }]);
  return JSON.stringify({ start: 's0', steps: Object.fromEntries(entries) });
}

/** The largest flow that is drawn, and one that is too large to be drawn. */
const checkedTexts = [denseFlow(80, 5), denseFlow(80, 40)];

/** Seven decide steps in a loop of 36 visits. Each has 20 conditions, which cost almost as much as a condition may cost. */
function costlyFlow() {
  const names = Array.from({ length: 7 }, (_, index) => `d${index}`);
  const rules = (step: number) =>
    Array.from({ length: 20 }, (_, rule) => ({
      when: `transaction.generic.exists(k, ${Array(6).fill("k.upperAscii() == '-'").join(' || ')} || k == '${step * 20 + rule}')`,
      then: 'end',
      because: 'never',
    }));
  const steps = names.map((name, index) => [
    name,
    {
      kind: 'decide',
      rules: rules(index),
      else: names[index + 1] ?? 'd0',
      ...(index === 0 ? { visits: 5, exhausted: 'end' } : {}),
    },
  ]);
  return { start: 'd0', steps: { ...Object.fromEntries(steps), end: { kind: 'outcome', outcome: 'Done' } } };
}

/** The largest `genericFields`. */
const genericFields = Object.fromEntries(
  Array.from({ length: 50 }, (_, index) => [`k${index}`.padEnd(128, 'a'), 'a'.repeat(512)]),
);

/** A tenant that checks flows without a pause, and starts flow runs at a fixed rate. All are as expensive as the limits allow. */
export class HostileTenant {
  #runs: Promise<string | undefined>[] = [];
  #attacking: Promise<unknown> | undefined;
  #isStopping = false;
  /** Responses by status. */
  readonly statuses = new Map<number, number>();

  constructor(
    private readonly stack: Stack,
    private readonly token: string,
  ) {}

  async #call(method: 'POST' | 'PUT', path: string, body: object) {
    const response = await request(`${this.stack.addresses.api}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    this.statuses.set(response.statusCode, (this.statuses.get(response.statusCode) ?? 0) + 1);
    return (await response.body.json()) as Record<string, unknown>;
  }

  /** Saves the flow. Throws if the service rejects it, because then the bench would attack with nothing. */
  async prepare(): Promise<void> {
    const { version, issues } = await this.#call('PUT', '/v1/flows/costly', costlyFlow());
    if (version === undefined) throw new Error(`The flow was rejected: ${JSON.stringify(issues)}`);
    await this.#call('POST', '/v1/flows/costly/activate', { version });
  }

  /** Creates a transaction and starts a flow run in it. Resolves to the path of the flow run, if it was started. */
  async #startRun(): Promise<string | undefined> {
    const { id } = await this.#call('POST', '/v1/transaction', {
      documentType: 'CPF',
      document: '52998224725',
      genericFields,
    });
    const { runId } = await this.#call('POST', `/v1/transaction/${String(id)}/flows/costly`, {});
    return typeof runId === 'string' ? `/v1/transaction/${String(id)}/flows/runs/${runId}` : undefined;
  }

  /**
   * Starts the attack: `checkers` callers check flows, each after its earlier check. `startsPerSecond` flow runs start, however long the
   * earlier ones take.
   */
  start(checkers: number, startsPerSecond: number): void {
    this.#isStopping = false;
    const check = async () => {
      for (let count = 0; !this.#isStopping; count += 1)
        await this.#call('POST', '/v1/flows/any/check', { text: checkedTexts[count % checkedTexts.length] });
    };
    const startRuns = async () => {
      while (!this.#isStopping) {
        this.#runs.push(this.#startRun());
        await sleep(1_000 / startsPerSecond);
      }
    };
    this.#attacking = Promise.all([...Array.from({ length: checkers }, check), startRuns()]);
  }

  /** Stops the attack, and cancels the flow runs that have not ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#attacking;
    for (const path of await Promise.all(this.#runs)) if (path) await this.#call('POST', `${path}/cancel`, {});
    this.#runs = [];
  }
}
