import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { currentUpdateInfo, proxySinks, type Sinks, type WorkflowInterceptors } from '@temporalio/workflow';

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

/**
 * Continues the trace of a request in the activities that the request causes. This is all that a workflow needs to know of traces: the
 * worker creates the spans. A request without a trace costs nothing.
 *
 * The trace of an activity is found by the update that it belongs to. An `AsyncLocalStorage` of our own would be simpler, but each workflow in
 * memory would have one, and Node copies all of them into every promise: with 500 workflows, that doubled the CPU time of a worker.
 */
export const interceptors = (): WorkflowInterceptors => {
  let traceOfWorkflow: Payload | undefined;
  // At most 2,000: the server accepts no more updates in one run of a workflow.
  const traceByUpdate = new Map<string, Payload>();
  const withTrace = <Input extends { headers: Record<string, Payload> }>(input: Input): Input => {
    const update = currentUpdateInfo();
    const payload = update ? traceByUpdate.get(update.id) : traceOfWorkflow;
    return payload ? { ...input, headers: { ...input.headers, [traceHeader]: payload } } : input;
  };
  return {
    inbound: [
      {
        execute(input, next) {
          traceOfWorkflow = input.headers[traceHeader];
          return next(input);
        },
        handleUpdate(input, next) {
          const payload = input.headers[traceHeader];
          if (!payload) return next(input);
          const { traceparent } = defaultPayloadConverter.fromPayload<{ traceparent?: string }>(payload);
          const startMs = Date.now();
          traceByUpdate.set(input.updateId, payload);
          return next(input).finally(() => {
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
