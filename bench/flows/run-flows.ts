import { setTimeout as sleep } from 'node:timers/promises';
import { spreadPhoneNumber } from '../worker/spread-phone-number';
import type { Stack } from '../../dev/stack/stack';
import { generateTransactions } from '../population/population';
import { startProgressBar } from '../report/progress';
import { median, quantile } from '../report/statistics';
import { formatNumber, formatTable } from '../report/table';
import { startBenchStack } from '../worker/bench-stack';

/** The options of the bench `flows`. */
export interface FlowsPlan {
  /** How many persons confirm by each of the two ways: by the endpoints `…/sms/tokens`, and by the flow `sms-token`. */
  confirmations: number;
}

/** The highest accepted ratio: the median time of a confirmation by the flow, divided by the median time by the endpoints. */
const ratioMax = 1.1;
const seed = 20_260_105;
/**
 * Timeout of a request. The API responds within 5 s after it has started to work on a command. In this bench, no command waits for another
 * command.
 */
const requestTimeoutMs = 10_000;
/** How many confirmations at the start are not measured. They open connections, fill caches and compile code. */
const warmUp = 20;

/** Durations in milliseconds of the two calls of a confirmation: the request for a code, and the answer with the code. */
interface CallTimes {
  request: number;
  answer: number;
}

/** A caller of one stack. It confirms persons by a code in an SMS. */
class Caller {
  readonly #transactions = generateTransactions({ seed, size: 1_000_000 });

  constructor(
    private readonly stack: Stack,
    private readonly token: string,
  ) {}

  async #call(path: string, body?: object): Promise<{ ms: number; body: Record<string, unknown> }> {
    const start = performance.now();
    const response = await fetch(`${this.stack.addresses.api}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const text = await response.text();
    const ms = performance.now() - start;
    if (!response.ok) throw new Error(`POST ${path} responded ${response.status}: ${text}`);
    return { ms, body: JSON.parse(text) as Record<string, unknown> };
  }

  async #readCode(phone: string): Promise<string> {
    const query = new URLSearchParams({ to: phone, channel: 'sms' });
    const response = await fetch(`${this.stack.addresses.inbox}/api/messages?${query.toString()}`);
    const [newest] = (await response.json()) as { text: string }[];
    const code = /\b\d{6}\b/.exec(newest?.text ?? '')?.[0];
    if (!code) throw new Error(`${phone} has received no code.`);
    return code;
  }

  /**
   * Confirms one person with a correct code. `side`: whether to use the endpoints or the flow. `phoneIndex`: determines the phone, and
   * must be new for each call. Throws when a request fails or the code is not valid.
   */
  async confirm(side: 'endpoints' | 'flow', phoneIndex: number): Promise<CallTimes> {
    const { value } = this.#transactions.next();
    if (!value) throw new Error('There are no more transactions.');
    const phone = { countryCode: 55, areaCode: 11, number: spreadPhoneNumber(phoneIndex) };
    const created = await this.#call('/v1/transaction', { ...value.transaction.input, phone });
    const path = `/v1/transaction/${String(created.body['id'])}`;
    // Background work of the new transaction ends within this time.
    await sleep(150);
    const request = await this.#call(`${path}/${side === 'flow' ? 'flows/sms-token' : 'sms/tokens'}`);
    const code = await this.#readCode(`+55 11 ${phone.number}`.replaceAll(' ', ''));
    const answerPath = side === 'flow' ? `flows/runs/${String(request.body['runId'])}/answer` : 'sms/tokens/validate';
    const answer = await this.#call(`${path}/${answerPath}`, { value: code });
    if (answer.body['status'] !== 'Valid') throw new Error(`The code is ${String(answer.body['status'])}.`);
    return { request: request.ms, answer: answer.ms };
  }
}

const sides = ['endpoints', 'flow'] as const;

/**
 * Compares the response times of the flow `sms-token` with the response times of the endpoints `…/sms/tokens`. Returns whether the ratio is
 * within the limit.
 */
export async function runFlows({ confirmations }: FlowsPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting a stack …\n');
  const bench = await startBenchStack({ NODE_ENV: 'production' });
  try {
    const caller = new Caller(bench.stack, await bench.stack.token());
    const times: Record<(typeof sides)[number], CallTimes[]> = { endpoints: [], flow: [] };
    const updateProgress = startProgressBar(output, 'Confirmed', confirmations);
    for (let pair = 0; pair < warmUp + confirmations; pair += 1) {
      // The side that comes first alternates.
      const order = pair % 2 === 0 ? sides : sides.toReversed();
      for (const [index, side] of order.entries()) {
        const callTimes = await caller.confirm(side, 2 * pair + index);
        if (pair >= warmUp) times[side].push(callTimes);
      }
      updateProgress(Math.max(0, pair + 1 - warmUp));
    }
    return report(times, output);
  } finally {
    await bench.stop();
  }
}

function report({ endpoints, flow }: Record<(typeof sides)[number], CallTimes[]>, output: NodeJS.WriteStream): boolean {
  const metrics: readonly [string, (times: CallTimes) => number][] = [
    ['send a code', ({ request }) => request],
    ['check the code', ({ answer }) => answer],
    ['both', ({ request, answer }) => request + answer],
  ];
  const rows = metrics.flatMap(([name, read]) =>
    ([0.5, 0.95] as const).map((share) => {
      const [endpointMs, flowMs] = [quantile(endpoints.map(read), share), quantile(flow.map(read), share)];
      return [
        `${name}, ${share === 0.5 ? 'median' : 'p95'}, ms`,
        formatNumber(endpointMs, 1),
        formatNumber(flowMs, 1),
        formatNumber(flowMs / endpointMs),
      ];
    }),
  );
  output.write(`\n${formatTable(['a code by SMS', 'endpoints', 'flow', 'ratio'], rows)}\n`);
  const medianTotalMs = (side: CallTimes[]) => median(side.map(({ request, answer }) => request + answer));
  const ratio = medianTotalMs(flow) / medianTotalMs(endpoints);
  const withinLimit = ratio <= ratioMax;
  output.write(`\nRatio of flow to endpoints: ${formatNumber(ratio)}, limit ${ratioMax}`);
  output.write(withinLimit ? '. Passed.\n' : '. FAILED.\n');
  return withinLimit;
}
