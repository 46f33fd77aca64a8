import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../../dev/stack/stack';
import { visitsOf } from '../population/population';
import { showProgress } from '../report/progress';
import { median, quantile } from '../report/statistics';
import { figure, table } from '../report/table';
import { startBenchStack } from '../worker/bench-stack';

export interface FlowsPlan {
  /** Confirmations on each side. */
  confirmations: number;
}

/** What the flow endpoints may cost beside those of the code alone. */
const ratioMax = 1.1;
const seed = 20_260_105;
/** The API promises an answer within 5 s. */
const answerWithinMs = 10_000;
/** Before anything counts: connections, caches, compiled code. */
const warmUp = 20;

/** Milliseconds of both calls that a caller waits for. */
interface Waited {
  ask: number;
  answer: number;
}

class Caller {
  readonly #visits = visitsOf({ seed, size: 1_000_000 });

  constructor(
    private readonly stack: Stack,
    private readonly token: string,
  ) {}

  async #call(path: string, body?: object): Promise<{ ms: number; body: Record<string, unknown> }> {
    const begun = performance.now();
    const answer = await fetch(`${this.stack.addresses.api}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const text = await answer.text();
    const ms = performance.now() - begun;
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${text}`);
    return { ms, body: JSON.parse(text) as Record<string, unknown> };
  }

  async #code(phone: string): Promise<string> {
    const query = new URLSearchParams({ to: phone, channel: 'sms' });
    const answer = await fetch(`${this.stack.addresses.inbox}/api/messages?${query.toString()}`);
    const [newest] = (await answer.json()) as { text: string }[];
    const code = /\b\d{6}\b/.exec(newest?.text ?? '')?.[0];
    if (!code) throw new Error(`No code came to ${phone}.`);
    return code;
  }

  /** A person whose code comes back right, by the endpoints of the code or by its flow. */
  async confirm(by: 'endpoints' | 'flow', number: number): Promise<Waited> {
    const { value } = this.#visits.next();
    if (!value) throw new Error('There are no more persons.');
    const phone = { countryCode: 55, areaCode: 11, number: 900_000_000 + number };
    const created = await this.#call('/v1/transaction', { ...value.transaction.input, phone });
    const path = `/v1/transaction/${String(created.body['id'])}`;
    // What the transaction does on its own has been done by then.
    await sleep(150);
    const asked = await this.#call(`${path}/${by === 'flow' ? 'flows/sms-token' : 'sms/tokens'}`);
    const code = await this.#code(`+55 11 ${phone.number}`.replaceAll(' ', ''));
    const tried = by === 'flow' ? `flows/runs/${String(asked.body['runId'])}/answer` : 'sms/tokens/validate';
    const answered = await this.#call(`${path}/${tried}`, { value: code });
    if (answered.body['status'] !== 'Valid') throw new Error(`The code is ${String(answered.body['status'])}.`);
    return { ask: asked.ms, answer: answered.ms };
  }
}

const sides = ['endpoints', 'flow'] as const;

/** Measures what a run costs a caller beside the endpoints of the same code. Answers whether it is at most 10 % more. */
export async function runFlows({ confirmations }: FlowsPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting a stack …\n');
  const bench = await startBenchStack({ NODE_ENV: 'production' });
  try {
    const caller = new Caller(bench.stack, await bench.stack.token());
    const waited: Record<(typeof sides)[number], Waited[]> = { endpoints: [], flow: [] };
    const progress = showProgress(output, 'Confirmed', confirmations);
    for (let pair = 0; pair < warmUp + confirmations; pair += 1) {
      // Who goes first alternates.
      const order = pair % 2 === 0 ? sides : sides.toReversed();
      for (const [place, side] of order.entries()) {
        const times = await caller.confirm(side, 2 * pair + place);
        if (pair >= warmUp) waited[side].push(times);
      }
      progress(Math.max(0, pair + 1 - warmUp));
    }
    return report(waited, output);
  } finally {
    await bench.end();
  }
}

function report({ endpoints, flow }: Record<(typeof sides)[number], Waited[]>, output: NodeJS.WriteStream): boolean {
  const parts: readonly [string, (one: Waited) => number][] = [
    ['ask', ({ ask }) => ask],
    ['answer', ({ answer }) => answer],
    ['both', ({ ask, answer }) => ask + answer],
  ];
  const rows = parts.flatMap(([name, read]) =>
    ([0.5, 0.95] as const).map((share) => {
      const [one, other] = [quantile(endpoints.map(read), share), quantile(flow.map(read), share)];
      return [
        `${name}, ${share === 0.5 ? 'median' : 'p95'}, ms`,
        figure(one, 1),
        figure(other, 1),
        figure(other / one),
      ];
    }),
  );
  output.write(`\n${table(['a code by SMS', 'endpoints', 'flow', 'ratio'], rows)}\n`);
  const both = (side: Waited[]) => median(side.map(({ ask, answer }) => ask + answer));
  const ratio = both(flow) / both(endpoints);
  const held = ratio <= ratioMax;
  output.write(`\nTime of a caller by the flow, by that of the endpoints: ${figure(ratio)}, at most ${ratioMax}`);
  output.write(held ? '. The promise holds.\n' : ': NOT held.\n');
  return held;
}
