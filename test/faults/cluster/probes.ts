import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCode } from '../inbox-person';
import { expectStatus, RetryingCaller } from '../retrying-caller';
import type { Cluster } from './cluster';
import { randomCpf } from './persons';
import type { Random } from './random';

/** So many that they reach both API processes and, most likely, all shards of Temporal and all workers. */
const parallelProbes = 4;
const pauseMs = 250;
/** The slowest normal probe may be three times as slow as the slowest one before the first fault, but never has to be faster than this. */
const normalAtLeastMs = 2_000;
const slowerThanBefore = 3;
const calibrationRounds = 4;
/** The longest time of a probe before the first fault. */
const warmUpMs = 30_000;
/** After this time, the service counts as not recovered. */
const recoversWithinMs = 300_000;

/** Measures from outside whether the service works: a probe creates a transaction, sends a code by SMS, and enters the code. */
export class Probes {
  normalMs = Number.POSITIVE_INFINITY;
  readonly phones: string[] = [];

  constructor(
    private readonly cluster: Cluster,
    private readonly token: string,
    private readonly random: Random,
  ) {}

  /** Must be called under traffic, before the first fault. The processes are cold, so the first probes may fail. Throws if all fail. */
  async calibrate(): Promise<void> {
    this.normalMs = warmUpMs;
    let slowestMs = 0;
    for (let round = 0; round < calibrationRounds; round += 1) {
      if ((await this.waitForRecovery(performance.now())) === undefined)
        throw new Error('The service does not work before the first fault.');
      const startedAt = performance.now();
      if (await this.#runAll(warmUpMs).catch(() => false))
        slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    }
    this.normalMs = Math.max(normalAtLeastMs, Math.ceil(slowestMs * slowerThanBefore));
  }

  /** Waits until all parallel probes complete within the normal time. Resolves to the time since `from`, in ms; undefined after 5 minutes. */
  async waitForRecovery(from: number): Promise<number | undefined> {
    while (performance.now() - from < recoversWithinMs) {
      if (await this.#runAll(this.normalMs).catch(() => false)) return performance.now() - from;
      await sleep(pauseMs);
    }
    return undefined;
  }

  /** Rejects if one probe fails or takes longer. */
  async #runAll(withinMs: number): Promise<true> {
    const results = await Promise.allSettled(Array.from({ length: parallelProbes }, () => this.#run(withinMs)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return true;
  }

  async #run(withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs;
    const { e164, fields } = this.cluster.nextPhone();
    this.phones.push(e164);
    // No request is repeated: a probe that needs a repeat is not normal.
    const caller = new RetryingCaller(this.cluster.stack.addresses.api, this.token, 0, withinMs);
    const body = { documentType: 'CPF', document: randomCpf(this.random), phone: fields };
    const created = expectStatus(201, await caller.post('/v1/transaction', `create-${e164}`, body));
    const path = `/v1/transaction/${(created.body as { id: string }).id}/sms/tokens`;
    expectStatus(201, await caller.post(path, `send-${e164}`));
    for (;;) {
      const [message] = await this.cluster.person.readMessages({ to: e164, channel: 'sms' });
      if (performance.now() > deadline) throw new Error('the probe was slow');
      if (message) {
        const answer = await caller.post(`${path}/validate`, `try-${e164}`, { value: readCode(message) });
        if ((expectStatus(200, answer).body as { status: string }).status === 'Valid') break;
        throw new Error('the right code was not valid');
      }
      await sleep(50);
    }
    if (performance.now() > deadline) throw new Error('the probe was slow');
  }
}
