import { fork } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort } from '../../dev/stack/free-port';
import { runInTurns } from '../report/run-in-turns';
import { formatTable } from '../report/table';
import { confirmAll, formatRow, operations, rateRatio, rowHeader, type Side, startSide } from '../versions/sides';
import type { VersionsPlan } from '../versions/run-versions';

/** With the sampling of docs/monitoring.md, metrics and traces may cost at most 5 % of the messages per second. */
const sendRateMin = 0.95;

/** How often Prometheus usually reads the metrics. */
const scrapeEveryMs = 15_000;

/** The share of requests with a trace, and the least rate of messages as a ratio to a stack without metrics and traces. */
const shares = [
  { name: 'a tenth', argument: '0.1', sendRateMin },
  { name: 'all', argument: '1' },
];

/**
 * Compares a stack without metrics and traces (`before`) with stacks that have metrics, and traces of a tenth or of all requests (`now`),
 * in turns. Returns whether the rate of messages is within the limit.
 */
export async function runTelemetry(
  { rounds, transactions }: VersionsPlan,
  output: NodeJS.WriteStream,
): Promise<boolean> {
  output.write('Starting three stacks …\n');
  const collector = fork(require.resolve('./collector.mjs'), { execArgv: [] });
  const [collectorPort] = (await once(collector, 'message')) as [number];
  const env = { NODE_ENV: 'production', RATE_LIMIT_PER_SECOND: '100000' };
  const sides: Side[] = [];
  const metricsPorts: number[] = [];
  const start = async (settings: Record<string, string>): Promise<Side> => {
    const side = await startSide({ ...env, ...settings });
    sides.push(side);
    return side;
  };
  const scrapes = setInterval(() => {
    for (const port of metricsPorts)
      void fetch(`http://127.0.0.1:${port}/metrics`).then(
        (response) => response.text(),
        () => undefined,
      );
  }, scrapeEveryMs);
  let passes = true;
  try {
    const before = await start({});
    for (const { name, argument, sendRateMin: rateMin } of shares) {
      const metricsPort = await findFreePort();
      const now = await start({
        OTEL_METRICS_EXPORTER: 'prometheus',
        OTEL_EXPORTER_PROMETHEUS_PORT: String(metricsPort),
        OTEL_TRACES_EXPORTER: 'otlp',
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
        OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
        OTEL_TRACES_SAMPLER_ARG: argument,
      });
      metricsPorts.push(metricsPort, metricsPort + 1);
      const results = await runInTurns(
        { rounds, output, name: `Confirmed, ${name} traced` },
        () => confirmAll(now, transactions),
        () => confirmAll(before, transactions),
      );
      const pairsOf = (operation: (typeof operations)[number]) =>
        results.map((pair) => ({ now: pair.now[operation], before: pair.before[operation] }));
      output.write(
        `\n${formatTable(
          rowHeader,
          operations.map((operation) => formatRow(operation, pairsOf(operation))),
        )}\n\n`,
      );
      if (rateMin === undefined) continue;
      passes = rateRatio(pairsOf('send')) >= rateMin;
      output.write(`${passes ? 'passed' : 'FAILED'}  rate of send: at least ${rateMin}\n`);
    }
    return passes;
  } finally {
    clearInterval(scrapes);
    await Promise.all(sides.map((side) => side.stop()));
    collector.kill();
  }
}
