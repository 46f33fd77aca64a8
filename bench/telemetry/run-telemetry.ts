import { fork } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort } from '../../dev/stack/free-port';
import { runInTurns } from '../report/run-in-turns';
import { formatTable } from '../report/table';
import { confirmAll, formatRow, operations, rateRatio, rowHeader, type Side, startSide } from '../versions/sides';

/** The options of the bench `telemetry`. */
export interface TelemetryPlan {
  /** Equal stacks differ by up to 5 % for as long as they run, so each comparison needs several. */
  pairs: number;
  /** Rounds of each pair of stacks. */
  rounds: number;
  /** Transactions of each stack in each round. */
  transactions: number;
}

/** With the sampling of docs/monitoring.md, metrics and traces may cost at most 5 % of the messages per second. */
const sendRateMin = 0.95;

/** The share of requests with a trace. Only the first has a limit. */
const shares = [
  { name: 'a tenth', argument: '0.1' },
  { name: 'all', argument: '1' },
];

/** How often Prometheus usually reads the metrics. */
const scrapeEveryMs = 15_000;

const env = { NODE_ENV: 'production', RATE_LIMIT_PER_SECOND: '100000' };

/**
 * Starts two stacks, and confirms transactions on them in turns: `now` has metrics, and traces of a share of the requests, and `before` has
 * none. `first` is the side that starts first.
 */
async function comparePair(
  { rounds, transactions }: TelemetryPlan,
  { telemetry, name, first }: { telemetry: Record<string, string>; name: string; first: 'now' | 'before' },
  output: NodeJS.WriteStream,
) {
  const port = await findFreePort();
  const sides = new Map<'now' | 'before', Side>();
  const start = async (side: 'now' | 'before') => {
    const metrics = { OTEL_METRICS_EXPORTER: 'prometheus', OTEL_EXPORTER_PROMETHEUS_PORT: String(port) };
    const started = await startSide({ ...env, ...(side === 'now' && { ...metrics, ...telemetry }) });
    sides.set(side, started);
    return started;
  };
  const scrapes = setInterval(() => {
    for (const metricsPort of [port, port + 1])
      void fetch(`http://127.0.0.1:${metricsPort}/metrics`).then(
        (response) => response.text(),
        () => undefined,
      );
  }, scrapeEveryMs);
  try {
    await start(first);
    await start(first === 'now' ? 'before' : 'now');
    const measure = (side: 'now' | 'before') => () => confirmAll(sides.get(side) as Side, transactions);
    return await runInTurns({ rounds, output, name }, measure('now'), measure('before'));
  } finally {
    clearInterval(scrapes);
    await Promise.all([...sides.values()].map((side) => side.stop()));
  }
}

/** Measures the cost of metrics and traces. Returns whether the rate of messages is within the limit. */
export async function runTelemetry(plan: TelemetryPlan, output: NodeJS.WriteStream): Promise<boolean> {
  const collector = fork(require.resolve('./collector.mjs'), { execArgv: [] });
  const [collectorPort] = (await once(collector, 'message')) as [number];
  const ratios: number[] = [];
  try {
    for (const { name, argument } of shares) {
      const telemetry = {
        OTEL_TRACES_EXPORTER: 'otlp',
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
        OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
        OTEL_TRACES_SAMPLER_ARG: argument,
      };
      const results: Awaited<ReturnType<typeof comparePair>> = [];
      for (let pair = 0; pair < plan.pairs; pair += 1) {
        const title = `With traces of ${name}, pair ${pair + 1} of ${plan.pairs}`;
        const first = pair % 2 === 0 ? 'now' : 'before';
        results.push(...(await comparePair(plan, { telemetry, name: title, first }, output)));
      }
      const pairsOf = (operation: (typeof operations)[number]) =>
        results.map((pair) => ({ now: pair.now[operation], before: pair.before[operation] }));
      const rows = operations.map((operation) => formatRow(operation, pairsOf(operation)));
      output.write(`\nTraces of ${name}:\n\n${formatTable(rowHeader, rows)}\n\n`);
      ratios.push(rateRatio(pairsOf('send')));
    }
  } finally {
    collector.kill();
  }
  const passes = ratios[0] !== undefined && ratios[0] >= sendRateMin;
  output.write(`${passes ? 'passed' : 'FAILED'}  rate of send with traces of a tenth: at least ${sendRateMin}\n`);
  return passes;
}
