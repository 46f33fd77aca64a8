import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { AsyncLocalStorage, proxySinks, type Sinks, type WorkflowInterceptors } from '@temporalio/workflow';

/** The header in which the interceptors of OpenTelemetry carry a trace. Its payload is `{ traceparent }`. It has no personal data. */
const traceHeader = '_tracer-data';

/** What a workflow reports to its worker, outside of the history. */
export interface TraceSinks extends Sinks {
  traces: {
    /** An update was handled. The times are in milliseconds since 1970. */
    updateHandled(name: string, traceparent: string, startMs: number, endMs: number): void;
  };
}

const { traces } = proxySinks<TraceSinks>();
/** The trace to which the current work of the workflow belongs. */
const currentTrace = new AsyncLocalStorage<Payload>();

/**
 * Continues the trace of a request in the activities that the request causes. This is all that a workflow needs to know of traces: the
 * worker creates the spans. A request without a trace costs nothing.
 */
export const interceptors = (): WorkflowInterceptors => {
  const withTrace = <Input extends { headers: Record<string, Payload> }>(input: Input): Input => {
    const payload = currentTrace.getStore();
    return payload ? { ...input, headers: { ...input.headers, [traceHeader]: payload } } : input;
  };
  return {
    inbound: [
      {
        execute(input, next) {
          const payload = input.headers[traceHeader];
          return payload ? currentTrace.run(payload, () => next(input)) : next(input);
        },
        handleUpdate(input, next) {
          const payload = input.headers[traceHeader];
          if (!payload) return next(input);
          const { traceparent } = defaultPayloadConverter.fromPayload<{ traceparent?: string }>(payload);
          const startMs = Date.now();
          return currentTrace
            .run(payload, () => next(input))
            .finally(() => {
              if (traceparent) traces.updateHandled(input.name, traceparent, startMs, Date.now());
            });
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withTrace(input)),
        scheduleLocalActivity: (input, next) => next(withTrace(input)),
      },
    ],
  };
};
