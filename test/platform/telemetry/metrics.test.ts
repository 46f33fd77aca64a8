import http from 'node:http';
import { metrics } from '@opentelemetry/api';
import { ConfigurationError } from '../../../platform/config';
import { defineCounter, defineDuration, observeGauge, startMetrics } from '../../../platform/telemetry/metrics';
import { findFreePort } from '../../../dev/stack/free-port';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  metrics.disable();
});

const configFor = async (exporter: 'none' | 'prometheus' = 'prometheus') => ({
  OTEL_METRICS_EXPORTER: exporter,
  OTEL_EXPORTER_PROMETHEUS_HOST: '127.0.0.1',
  OTEL_EXPORTER_PROMETHEUS_PORT: await findFreePort(),
});

async function start() {
  const config = await configFor();
  const { coreAddress = '', stop } = await startMetrics(config, 'countersign-test');
  stops.push(stop);
  const address = `http://127.0.0.1:${config.OTEL_EXPORTER_PROMETHEUS_PORT}`;
  return { config, address, coreAddress, read: async () => (await fetch(`${address}/metrics`)).text() };
}

test('Prometheus reads counters, durations, gauges, and the name of the service', async () => {
  const { read } = await start();
  defineCounter('countersign.things', { description: 'Things' }).add(2, { channel: 'sms' });
  defineDuration('countersign.thing.duration', 'How long a thing takes').record(0.3, { channel: 'sms' });
  observeGauge('countersign.depth', { description: 'Depth' }, (observe) => observe(7));
  const text = await read();
  expect(text).toContain('countersign_things_total{channel="sms"} 2');
  expect(text).toContain('countersign_thing_duration_seconds_bucket{channel="sms",le="0.5"} 1');
  expect(text).toContain('countersign_thing_duration_seconds_bucket{channel="sms",le="0.25"} 0');
  expect(text).toContain('countersign_depth 7');
  expect(text).toContain('nodejs_eventloop_delay_seconds{quantile="0.99"}');
  expect(text).toContain('service_name="countersign-test"');
});

test('a gauge that cannot be read has no value, and counters keep theirs', async () => {
  const { read } = await start();
  defineCounter('countersign.things', { description: 'Things' }).add(2);
  let depth: number | undefined = 7;
  observeGauge('countersign.depth', { description: 'Depth' }, (observe) => {
    if (depth !== undefined) observe(depth);
  });
  expect(await read()).toContain('countersign_depth 7');
  depth = undefined;
  const text = await read();
  expect(text).not.toContain('countersign_depth');
  expect(text).toContain('countersign_things_total 2');
  depth = 8;
  expect(await read()).toContain('countersign_depth 8');
});

test('a rare event is counted from 0, so that Prometheus sees its first increase', async () => {
  const errors = defineCounter('countersign.errors', { description: 'Errors', fromZero: [{ level: 'error' }] });
  const { read } = await start();
  expect(await read()).toContain('countersign_errors_total{level="error"} 0');
  errors.add(1, { level: 'error' });
  expect(await read()).toContain('countersign_errors_total{level="error"} 1');
});

test('the metrics of the core of Temporal follow, and without them the others are still served', async () => {
  const { read, coreAddress } = await start();
  const core = http.createServer((_request, response) => response.end('temporal_num_pollers 5\n'));
  await new Promise<void>((resolve) => core.listen(Number(coreAddress.split(':')[1]), '127.0.0.1', resolve));
  expect(await read()).toMatch(/nodejs_eventloop_delay_seconds[^]*\ntemporal_num_pollers 5\n$/);
  core.close();
  core.closeAllConnections();
  expect(await read()).toContain('nodejs_eventloop_delay_seconds');
});

test('other paths and methods get 404', async () => {
  const { address } = await start();
  expect((await fetch(`${address}/`)).status).toBe(404);
  expect((await fetch(`${address}/metrics`, { method: 'POST' })).status).toBe(404);
});

test('without an exporter, counting does nothing and no port is opened', async () => {
  const config = await configFor('none');
  await startMetrics(config, 'countersign-test');
  defineCounter('countersign.things', { description: 'Things' }).add(1);
  await expect(fetch(`http://127.0.0.1:${config.OTEL_EXPORTER_PROMETHEUS_PORT}/metrics`)).rejects.toThrow(
    'fetch failed',
  );
});

test('a port that is in use is an error of the configuration', async () => {
  const { config } = await start();
  metrics.disable();
  const error: unknown = await startMetrics(config, 'countersign-test').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect((error as Error).message).toMatch(/^OTEL_EXPORTER_PROMETHEUS_PORT: listen EADDRINUSE/);
});
