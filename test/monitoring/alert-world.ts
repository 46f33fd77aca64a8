import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { findFreePort } from '../../dev/stack/free-port';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres/postgres';
import { newPerson } from '../acceptance/support/new-person';
import { waitUntil } from '../support/wait-until';
import { startTestStack, type TestStack } from '../acceptance/support/test-stack';
import { shortRules } from './alert-rules';
import { type Alert, type RunningPrometheus, startPrometheus } from './prometheus';
import { call, Traffic } from './traffic';

/** Codes and questions expire soon, so that transactions become due. */
const shortExpiry = { expiresAfterSeconds: 15 };

/** Stands for the hourly run of the retention. */
const retentionEveryMs = 8_000;

/** A stack with metrics, traffic, a server of a caller, and a Prometheus with short rules. */
export class AlertWorld {
  #retention = setInterval(() => void this.#runRetention(), retentionEveryMs);

  private constructor(
    readonly testStack: TestStack,
    readonly prometheus: RunningPrometheus,
    readonly traffic: Traffic,
    readonly pool: Pool,
    readonly temporal: Client,
    readonly token: string,
    private readonly caller: Server,
  ) {}

  static async start(): Promise<AlertWorld> {
    // The worker serves its metrics at the next port.
    const port = await findFreePort();
    const testStack = await startTestStack({
      env: {
        OTEL_METRICS_EXPORTER: 'prometheus',
        OTEL_EXPORTER_PROMETHEUS_PORT: String(port),
        FLOW_SETTINGS: JSON.stringify({ 'sms-2fa': shortExpiry, 'email-token': shortExpiry }),
        SENDING_LIMITS: JSON.stringify({ other: { lowAnswerRate: { messages: 5, rate: 0.5, blockHours: 1 } } }),
      },
    });
    const { addresses } = testStack.stack;
    const token = await testStack.stack.token();
    const caller = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
    await once(caller, 'listening');
    const url = `http://127.0.0.1:${(caller.address() as AddressInfo).port}/`;
    await call(addresses.api, token, 'POST', '/v1/webhooks', { url, events: ['*'] });
    const targets = { 'countersign-api': `127.0.0.1:${port}`, 'countersign-worker': `127.0.0.1:${port + 1}` };
    const prometheus = await startPrometheus(targets, shortRules());
    const connection = await Connection.connect({ address: addresses.temporal });
    const pool = openPool(addresses.postgres, createLogger('test', 'silent'));
    const traffic = await Traffic.start(testStack);
    const world = new AlertWorld(testStack, prometheus, traffic, pool, new Client({ connection }), token, caller);
    // Before its first scrape, Prometheus takes all processes for down.
    await waitUntil(
      async () => (await prometheus.query('sum(up) == 2')).length > 0 && (await world.firing()).size === 0,
    );
    return world;
  }

  /** A request of a caller of the tenant `local`. */
  send(method: string, path: string, body?: object) {
    return call(this.testStack.stack.addresses.api, this.token, method, path, body);
  }

  /** Creates transactions at the same time, and sends a message to each of their persons. Returns the paths of those that were created. */
  async sendMessages(count: number, path: string): Promise<string[]> {
    const ids = Array.from({ length: count }, async () => {
      const { body: { id } = {} } = (await this.send('POST', '/v1/transaction', newPerson().body)) ?? {};
      if (id !== undefined) await this.send('POST', `/v1/transaction/${id}/${path}`);
      return id === undefined ? [] : [`/v1/transaction/${id}`];
    });
    return (await Promise.all(ids)).flat();
  }

  async firing(): Promise<Set<string>> {
    const alerts = await this.prometheus.readAlerts();
    return new Set(alerts.filter(({ state }) => state === 'firing').map(({ labels }: Alert) => labels.alertname));
  }

  /** Waits until these alerts fire, or with `isFiring: false` until they do not. Returns the seconds of each that got there in time. */
  async waitFor(alerts: readonly string[], isFiring: boolean, withinMs: number): Promise<Map<string, number>> {
    const started = Date.now();
    const seconds = new Map<string, number>();
    while (seconds.size < alerts.length && Date.now() - started < withinMs) {
      const firing = await this.firing();
      for (const alert of alerts)
        if (firing.has(alert) === isFiring && !seconds.has(alert))
          seconds.set(alert, Math.round((Date.now() - started) / 1_000));
      await sleep(500);
    }
    return seconds;
  }

  /** Stops a process for parts of a second or more, as if it had too little CPU time. Returns a function that ends this. */
  starve(name: 'worker' | 'api', stoppedMs: number, runningMs: number): () => Promise<void> {
    const pid = this.testStack.stack.pids()[name] ?? 0;
    const ended = new AbortController();
    const cycles = (async () => {
      while (!ended.signal.aborted) {
        process.kill(pid, 'SIGSTOP');
        await sleep(stoppedMs);
        process.kill(pid, 'SIGCONT');
        await sleep(runningMs);
      }
    })();
    return async () => {
      ended.abort();
      await cycles;
    };
  }

  async #runRetention(): Promise<void> {
    // During an outage of Temporal, there is no run.
    await this.temporal.schedule
      .getHandle('countersign-retention')
      .trigger('SKIP')
      .catch(() => undefined);
  }

  async end(): Promise<void> {
    clearInterval(this.#retention);
    await this.traffic.stop();
    await this.prometheus.stop();
    await this.pool.end();
    await this.temporal.connection.close();
    this.caller.close();
    await this.testStack.remove();
  }
}
