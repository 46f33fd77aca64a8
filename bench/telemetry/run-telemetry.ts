import { fork } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort } from '../../dev/stack/free-port';
import { runInTurns } from '../report/run-in-turns';
import { formatTable } from '../report/table';
import { confirmAll, formatRow, operations, rateRatio, rowHeader, type Side, startSide } from '../versions/sides';
import type { VersionsPlan } from '../versions/run-versions';

/** Metrics and traces of every request may cost at most 5 % of the messages per second. */
const sendRateMin = 0.95;

/** How often Prometheus usually reads the metrics. */
const scrapeEveryMs = 15_000;

/**
 * Compares a stack with metrics and traces (`now`) with a stack without them (`before`), in turns. Every request is traced. Returns whether
 * the rate of messages is within the limit.
 */
export async function runTelemetry(
  { rounds, transactions }: VersionsPlan,
  output: NodeJS.WriteStream,
): Promise<boolean> {
  output.write('Starting two stacks …\n');
  const collector = fork(require.resolve('./collector.mjs'), { execArgv: [] });
  const [collectorPort] = (await once(collector, 'message')) as [number];
  const metricsPort = await findFreePort();
  const env = { NODE_ENV: 'production', RATE_LIMIT_PER_SECOND: '100000' };
  const telemetry = {
    OTEL_METRICS_EXPORTER: 'prometheus',
    OTEL_EXPORTER_PROMETHEUS_PORT: String(metricsPort),
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
  };
  const sides: Side[] = [];
  const scrapes = setInterval(() => {
    for (const port of [metricsPort, metricsPort + 1])
      void fetch(`http://127.0.0.1:${port}/metrics`).then(
        (response) => response.text(),
        () => undefined,
      );
  }, scrapeEveryMs);
  try {
    const before = await startSide(env);
    sides.push(before);
    const now = await startSide({ ...env, ...telemetry });
    sides.push(now);
    const results = await runInTurns(
      { rounds, output, name: 'Confirmed' },
      () => confirmAll(now, transactions),
      () => confirmAll(before, transactions),
    );
    const pairsOf = (operation: (typeof operations)[number]) =>
      results.map((pair) => ({ now: pair.now[operation], before: pair.before[operation] }));
    output.write(
      `\n${formatTable(
        rowHeader,
        operations.map((name) => formatRow(name, pairsOf(name))),
      )}\n\n`,
    );
    const passes = rateRatio(pairsOf('send')) >= sendRateMin;
    output.write(`${passes ? 'passed' : 'FAILED'}  rate of send: at least ${sendRateMin}\n`);
    return passes;
  } finally {
    clearInterval(scrapes);
    await Promise.all(sides.map((side) => side.stop()));
    collector.kill();
  }
}
