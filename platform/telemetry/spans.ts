import {
  type Attributes,
  context,
  type Context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

const getTracer = () => trace.getTracer('countersign');

/** Whether the current work belongs to a trace that is sent. */
export const isRecording = (): boolean => trace.getActiveSpan()?.isRecording() ?? false;

/**
 * Runs a call to another system as a step of the current trace. Without a trace, only runs it. The name and the attributes must never have
 * personal data, and the exporter sends only attributes that it knows: see `SafeSpanExporter`.
 */
export async function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!isRecording()) return work();
  return getTracer().startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', name);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Adds a step that has ended already. `traceparent`: the trace to which it belongs, in the form of W3C. */
export function addSpan(name: string, traceparent: string, startMs: number, endMs: number): void {
  const parent = propagation.extract(ROOT_CONTEXT, { traceparent });
  getTracer().startSpan(name, { startTime: startMs }, parent).end(endMs);
}

/** The span of an HTTP request. */
export interface RequestSpan {
  /** Absent without traces. */
  traceId?: string;
  /** Fields for log lines that are written outside of the context of the request. */
  logFields: TraceFields;
  /** Runs a function whose work belongs to the request. */
  run: <Result>(work: () => Result) => Result;
  /** `route`: such as `/v1/transaction/:id`, never the path, which can have personal data. */
  end: (route: string, attributes: Attributes & { 'http.response.status_code': number }) => void;
}

/**
 * Starts the span of an HTTP request. A `traceparent` header of the caller, or of a gateway, continues its trace. Its `tracestate` is
 * ignored, because it can have any text.
 */
export function startRequestSpan(method: string, headers: Readonly<Record<string, unknown>>): RequestSpan {
  const span = getTracer().startSpan(
    method,
    { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
    parentOf(headers),
  );
  const active = trace.setSpan(context.active(), span);
  const logFields = traceFieldsOf(span);
  return {
    ...(logFields.trace_id === undefined ? {} : { traceId: logFields.trace_id }),
    logFields,
    run: (work) => context.with(active, work),
    end: (route, attributes) => {
      span.updateName(`${method} ${route}`).setAttributes({ 'http.route': route, ...attributes });
      if (attributes['http.response.status_code'] >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function parentOf({ traceparent }: Readonly<Record<string, unknown>>): Context {
  return typeof traceparent === 'string' ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;
}

/** The fields of a log line that lead to its trace, with the names of OpenTelemetry. None without traces. */
export interface TraceFields {
  trace_id?: string;
  span_id?: string;
}

function traceFieldsOf(span: Span | undefined): TraceFields {
  const spanContext = span?.spanContext();
  return spanContext && isSpanContextValid(spanContext)
    ? { trace_id: spanContext.traceId, span_id: spanContext.spanId }
    : {};
}

/** The fields for a log line of the current work. */
export const currentTraceFields = (): TraceFields => traceFieldsOf(trace.getActiveSpan());
