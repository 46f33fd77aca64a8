import http from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Attributes, type Counter, type Histogram, metrics, type ObservableResult } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { Resource } from '@opentelemetry/resources';
import { AggregationTemporality, InstrumentType, MeterProvider } from '@opentelemetry/sdk-metrics';
import getPort from 'get-port';
import { ConfigurationError } from '../config';

/** The settings with the names of OpenTelemetry. */
export interface MetricsConfig {
  OTEL_METRICS_EXPORTER: 'none' | 'prometheus';
  OTEL_EXPORTER_PROMETHEUS_HOST: string;
  OTEL_EXPORTER_PROMETHEUS_PORT: number;
}

/** Without an exporter, this meter does nothing, so that code can always count. */
const getMeter = () => metrics.getMeter('countersign');

interface InstrumentOptions {
  description: string;
}

interface CounterOptions extends InstrumentOptions {
  /**
   * Attributes whose count is 0 from the start of the exporter. Prometheus computes an increase from the second value of a series on, so
   * an alert about a rare event would miss the first one.
   */
  fromZero?: readonly Attributes[];
}

/** Set the counts that start at 0. */
const zeroSetters: (() => void)[] = [];

/**
 * A counter, which is created when it first counts: the exporter starts after the modules are loaded. Attributes must never have personal
 * data, and few values.
 */
export function defineCounter(name: string, { fromZero = [], ...options }: CounterOptions): Pick<Counter, 'add'> {
  let counter: Counter | undefined;
  zeroSetters.push(() => {
    counter = getMeter().createCounter(name, options);
    for (const attributes of fromZero) counter.add(0, attributes);
  });
  return {
    add: (count, attributes) => {
      counter ??= getMeter().createCounter(name, options);
      counter.add(count, attributes);
    },
  };
}

/** Boundaries for durations in seconds: from a query in memory to the deadlines of requests. */
const durationBoundaries = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A histogram of durations. Its name gets the end `.seconds`, because the exporter adds no units. See `defineCounter`. */
export function defineDuration(name: string, description: string): Pick<Histogram, 'record'> {
  let histogram: Histogram | undefined;
  return {
    record: (seconds, attributes) => {
      histogram ??= getMeter().createHistogram(`${name}.seconds`, {
        description,
        advice: { explicitBucketBoundaries: durationBoundaries },
      });
      histogram.record(seconds, attributes);
    },
  };
}

/** A value that is read when metrics are collected. Call this after `startMetrics`. */
export function observeGauge(
  name: string,
  options: InstrumentOptions,
  read: (observe: (value: number, attributes?: Attributes) => void) => void | Promise<void>,
): void {
  getMeter()
    .createObservableGauge(name, options)
    .addCallback((result: ObservableResult) => read((value, attributes) => result.observe(value, attributes)));
}

/**
 * The exporter, with gauges that have only the values of this collection. By default, OpenTelemetry repeats the last value of a gauge that was
 * not read now, so a value that cannot be measured would never be missed.
 */
class FreshExporter extends PrometheusExporter {
  override selectAggregationTemporality(type: InstrumentType): AggregationTemporality {
    return type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE;
  }
}

/** How long the metrics of the native core of Temporal's SDK may take. They come from the same process. */
const coreWithinMs = 2_000;

async function readCoreMetrics(address: string): Promise<string> {
  try {
    const response = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(coreWithinMs) });
    return await response.text();
  } catch {
    // The metrics of this process are still worth more than none.
    return '';
  }
}

/** The metrics of a process. */
interface RunningMetrics {
  /** Where the native core of Temporal's SDK must serve its own metrics, which are added. Absent without an exporter. */
  coreAddress?: string;
  stop: () => void;
}

/**
 * Starts to collect metrics, and serves them at GET /metrics for Prometheus. Throws ConfigurationError if the port cannot be used. Only tests
 * stop the server: it never keeps a process alive.
 */
export async function startMetrics(config: MetricsConfig, serviceName: string): Promise<RunningMetrics> {
  if (config.OTEL_METRICS_EXPORTER === 'none') return { stop: () => undefined };
  const coreAddress = `127.0.0.1:${await getPort()}`;
  const exporter = new FreshExporter({ preventServerStart: true });
  const resource = new Resource({ 'service.name': serviceName });
  metrics.setGlobalMeterProvider(new MeterProvider({ resource, readers: [exporter] }));
  for (const setZeros of zeroSetters) setZeros();
  observeEventLoop();
  const serializer = new PrometheusSerializer();
  const server = http.createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    void Promise.all([exporter.collect(), readCoreMetrics(coreAddress)]).then(
      ([{ resourceMetrics }, core]) => {
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
        response.end(serializer.serialize(resourceMetrics) + core);
      },
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new ConfigurationError(`OTEL_EXPORTER_PROMETHEUS_PORT: ${error.message}`)));
    server.listen(config.OTEL_EXPORTER_PROMETHEUS_PORT, config.OTEL_EXPORTER_PROMETHEUS_HOST, resolve);
  });
  server.unref();
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { coreAddress, stop };
}

/** How often the delay of the event loop is sampled. */
const eventLoopResolutionMs = 10;

/** The longest delay of the event loop since the last collection. */
function observeEventLoop(): void {
  const delay = monitorEventLoopDelay({ resolution: eventLoopResolutionMs });
  delay.enable();
  const options = { description: 'Delay of the event loop since the last scrape' };
  observeGauge('nodejs.eventloop.delay.seconds', options, (observe) => {
    observe(delay.percentile(99) / 1e9, { quantile: '0.99' });
    observe(delay.max / 1e9, { quantile: '1' });
    delay.reset();
  });
}
