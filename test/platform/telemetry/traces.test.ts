import { context, propagation } from '@opentelemetry/api';
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Context } from '@temporalio/activity';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { createLogger } from '../../../platform/logger';
import { addSpan, currentTraceFields, inSpan, isRecording, startRequestSpan } from '../../../platform/telemetry/spans';
import { startTraces, traceInterceptors } from '../../../platform/telemetry/traces';
import { traceActivity } from '../../../worker/create-workers';
import { LogLines } from '../../support/log-lines';

let stop: () => Promise<void> = async () => undefined;
afterEach(() => stop());

const logger = createLogger('test', 'silent');

/** Starts traces that stay in memory. `end` stops them and returns the spans that were sent. */
function start() {
  const exporter = new InMemorySpanExporter();
  const sent: ReturnType<InMemorySpanExporter['getFinishedSpans']> = [];
  const send = exporter.export.bind(exporter);
  exporter.export = (spans, done) => {
    sent.push(...spans);
    send(spans, done);
  };
  stop = startTraces({ OTEL_TRACES_EXPORTER: 'otlp' }, 'countersign-test', logger, () => exporter);
  return {
    end: async () => {
      await stop();
      return sent;
    },
  };
}

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('a request continues the trace of its header, and the calls that it causes belong to it', async () => {
  const traces = start();
  const request = startRequestSpan('POST', { traceparent, tracestate: 'vendor=somebody@example.com' });
  expect(request.traceId).toBe('0af7651916cd43dd8448eb211c80319c');
  await request.run(async () => {
    expect(isRecording()).toBe(true);
    expect(currentTraceFields()).toEqual(request.logFields);
    await inSpan('insert sends', { 'db.system.name': 'postgresql' }, async () => undefined);
  });
  request.end('/v1/transaction/{id}', { 'http.response.status_code': 503, 'countersign.tenant': 'acme' });
  const [query, server] = await traces.end();
  expect(server?.name).toBe('POST /v1/transaction/{id}');
  expect(server?.parentSpanId).toBe('b7ad6b7169203331');
  expect(server?.spanContext().traceState).toBeUndefined();
  expect(server?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/v1/transaction/{id}',
    'http.response.status_code': 503,
    'countersign.tenant': 'acme',
  });
  expect(server?.resource.attributes['service.name']).toBe('countersign-test');
  expect(query?.parentSpanId).toBe(server?.spanContext().spanId);
});

test('baggage of a caller is not passed on, because it would be stored in Temporal', async () => {
  const traces = start();
  const carrier: Record<string, string> = {};
  const request = startRequestSpan('POST', { traceparent, baggage: 'person=somebody@example.com' });
  const withBaggage = () =>
    propagation.setBaggage(context.active(), propagation.createBaggage({ person: { value: 'x' } }));
  request.run(() => propagation.inject(withBaggage(), carrier));
  await traces.end();
  expect(Object.keys(carrier)).toEqual(['traceparent']);
});

test('a span keeps its times and its trace when it is added after its end', async () => {
  const traces = start();
  addSpan('HandleUpdate:requestConfirmation', traceparent, 1_000, 1_250);
  const [span] = await traces.end();
  expect(span?.spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c');
  expect(span?.duration).toEqual([0, 250_000_000]);
});

test('the texts of errors and unknown attributes are not sent', async () => {
  const traces = start();
  const failing = startRequestSpan('POST', {}).run(() =>
    inSpan('twilio send', { 'countersign.channel': 'sms', text: '+5511987654321' }, async () => {
      throw new TypeError('+5511987654321 is not a phone');
    }),
  );
  await expect(failing).rejects.toThrow('is not a phone');
  const [span] = await traces.end();
  expect(span?.status).toEqual({ code: 2 });
  expect(span?.events).toEqual([]);
  expect(span?.attributes).toEqual({ 'countersign.channel': 'sms', 'error.type': 'TypeError' });
});

test('a request passes its trace to workflows only if the sampler chose it', async () => {
  const traces = start();
  const signal = async (flags: string) => {
    const passed: string[] = [];
    const input = { signalName: 'x', args: [], workflowExecution: { workflowId: 'w' }, headers: {} };
    const request = startRequestSpan('POST', { traceparent: traceparent.replace(/01$/, flags) });
    await request.run(() =>
      traceInterceptors()[0]?.signal?.(input, async ({ headers }) => void passed.push(...Object.keys(headers))),
    );
    return passed;
  };
  expect(await signal('01')).toEqual(['_tracer-data']);
  expect(await signal('00')).toEqual([]);
  const spans = await traces.end();
  expect(spans.map(({ name }) => name)).toEqual(['SignalWorkflow:x']);
});

test('a call outside of a request has no trace', async () => {
  const traces = start();
  expect(await inSpan('select transactions', {}, async () => 1)).toBe(1);
  expect(await traces.end()).toEqual([]);
});

test('an activity is a step of the trace of its request, and has none if its request is not traced', async () => {
  const traces = start();
  const input = { activityType: 'deliverMessage', activityId: '1', inWorkflow: false };
  const execute = (headers: Record<string, Payload>) =>
    traceActivity({ info: input } as unknown as Context).execute?.({ args: [], headers }, async () => 'done');
  const header = { '_tracer-data': defaultPayloadConverter.toPayload({ traceparent }) };
  expect(await execute({})).toBe('done');
  expect(await execute(header)).toBe('done');
  const spans = await traces.end();
  expect(spans.map((span) => [span.name, span.parentSpanId])).toEqual([
    ['RunActivity:deliverMessage', 'b7ad6b7169203331'],
  ]);
});

test('log lines have the id of the trace, and none without a trace', async () => {
  const lines = new LogLines();
  const traced = createLogger('test', 'info', lines.stream);
  const traces = start();
  const request = startRequestSpan('GET', {});
  request.run(() => traced.info('inside'));
  traced.info('outside');
  await traces.end();
  const [inside, outside] = lines.lines;
  expect(inside).toMatchObject({ msg: 'inside', trace_id: request.traceId });
  expect(outside).not.toHaveProperty('trace_id');
});

test('without an exporter, requests have no trace, and calls only run', async () => {
  stop = startTraces({ OTEL_TRACES_EXPORTER: 'none' }, 'countersign-test', logger);
  const request = startRequestSpan('GET', { traceparent });
  expect(request.traceId).toBeUndefined();
  expect(await request.run(() => inSpan('x', {}, async () => isRecording()))).toBe(false);
  expect(traceInterceptors()).toEqual([]);
});
