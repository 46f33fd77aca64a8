import type { CallOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

interface WithValues {
  /** By name, such as `{ amount: '12.50 BRL' }`. */
  values?: Record<string, string>;
}

/** Flow runs. A flow run is one pass of a transaction through one version of a flow. */
export class FlowRuns {
  constructor(private readonly transport: Transport) {}

  /** Starts a flow run with the active version of the flow `name`. `values`: what its messages show, if the flow has values. */
  start(id: string, name: string, { values, ...options }: CallOptions & WithValues = {}) {
    return this.transport.call('startFlowRun', { path: { id, name }, body: values ? { values } : {} }, options);
  }

  /** Newest first. */
  list(id: string, options?: CallOptions) {
    return this.transport.call('listFlowRuns', { path: { id } }, options);
  }

  retrieve(id: string, runId: string, options?: CallOptions) {
    return this.transport.call('getFlowRun', { path: { id, runId } }, options);
  }

  /** A diagram of the flow as SVG. It shows the path of the flow run. */
  diagram(id: string, runId: string, options?: CallOptions) {
    return this.transport.call('getFlowRunDiagram', { path: { id, runId } }, options);
  }

  /**
   * Answers the current step with `value`, a code that the person typed. Each call uses one attempt, except a repeat with the same
   * idempotency key. `values`: those with which the flow run started. With other values, the code is wrong.
   */
  answer(id: string, runId: string, value: string, { values, ...options }: CallOptions & WithValues = {}) {
    return this.transport.call(
      'answerFlowRun',
      { path: { id, runId }, body: { value, ...(values && { values }) } },
      options,
    );
  }

  /** Sends the message of the current step again. */
  resend(id: string, runId: string, options?: CallOptions) {
    return this.transport.call('resendFlowRun', { path: { id, runId } }, options);
  }

  cancel(id: string, runId: string, options?: CallOptions) {
    return this.transport.call('cancelFlowRun', { path: { id, runId } }, options);
  }
}
