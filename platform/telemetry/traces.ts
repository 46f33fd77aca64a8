import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResourcesSync, envDetectorSync, Resource } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry/lib/client';
import type { Logger } from '../logger';
import { SafeSpanExporter } from './safe-span-exporter';
import { isRecording } from './spans';

/** The setting with the name of OpenTelemetry. The exporter reads the others, such as the address of the collector, from the environment. */
export interface TracesConfig {
  OTEL_TRACES_EXPORTER: 'none' | 'otlp';
}

/** Spans that are written when a process stops must be sent before it is killed. */
const flushWithinMs = 1_000;

let isTracing = false;

/**
 * Starts to send traces to a collector, as spans (one for each step). Returns a function that sends the last spans, and stops. `exporter`:
 * only for tests.
 */
export function startTraces(
  { OTEL_TRACES_EXPORTER: setting }: TracesConfig,
  serviceName: string,
  logger: Pick<Logger, 'warn'>,
  exporter: () => SpanExporter = () => new OTLPTraceExporter(),
): () => Promise<void> {
  if (setting === 'none') return async () => undefined;
  // The texts of OpenTelemetry can contain the address of the collector with its password.
  const warn = () => logger.warn('traces could not be sent to the collector; they are dropped');
  const ignore = () => undefined;
  diag.setLogger({ error: warn, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR);
  const provider = new NodeTracerProvider({
    resource: new Resource({ 'service.name': serviceName }).merge(
      detectResourcesSync({ detectors: [envDetectorSync] }),
    ),
    spanProcessors: [new BatchSpanProcessor(new SafeSpanExporter(exporter()))],
  });
  // Without baggage: a caller could send personal data in it, which would then be stored in Temporal.
  provider.register({ propagator: new W3CTraceContextPropagator() });
  isTracing = true;
  return async () => {
    isTracing = false;
    const stopping = provider.shutdown().catch(() => undefined);
    await Promise.race([stopping, new Promise((resolve) => setTimeout(resolve, flushWithinMs).unref())]);
    trace.disable();
    context.disable();
    propagation.disable();
    diag.disable();
  };
}

/**
 * The interceptors with which a Temporal client continues a trace in its workflows. None without traces. Call this after `startTraces`.
 * A request that the sampler left out passes no header on, because each payload and activity would then carry it for nothing.
 */
export function traceInterceptors(): WorkflowClientInterceptor[] {
  if (!isTracing) return [];
  const traced = new OpenTelemetryWorkflowClientInterceptor();
  return [
    {
      start: (input, next) => (isRecording() ? traced.start(input, next) : next(input)),
      startWithDetails: (input, next) => (isRecording() ? traced.startWithDetails(input, next) : next(input)),
      startUpdate: (input, next) => (isRecording() ? traced.startUpdate(input, next) : next(input)),
      signal: (input, next) => (isRecording() ? traced.signal(input, next) : next(input)),
      query: (input, next) => (isRecording() ? traced.query(input, next) : next(input)),
      terminate: (input, next) => (isRecording() ? traced.terminate(input, next) : next(input)),
    },
  ];
}
