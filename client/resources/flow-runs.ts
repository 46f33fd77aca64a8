import type { CallOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** Flow runs. A flow run is one pass of a transaction through one version of a flow. */
export class FlowRuns {
  constructor(private readonly transport: Transport) {}

  /** Starts a flow run with the active version of the flow `name`. */
  start(id: string, name: string, options?: CallOptions) {
    return this.transport.call('startFlowRun', { path: { id, name } }, options);
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
   * idempotency key.
   */
  answer(id: string, runId: string, value: string, options?: CallOptions) {
    return this.transport.call('answerFlowRun', { path: { id, runId }, body: { value } }, options);
  }

  /** Sends the message of the current step again. */
  resend(id: string, runId: string, options?: CallOptions) {
    return this.transport.call('resendFlowRun', { path: { id, runId } }, options);
  }

  cancel(id: string, runId: string, options?: CallOptions) {
    return this.transport.call('cancelFlowRun', { path: { id, runId } }, options);
  }
}
