import type { CallOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** Flow runs: a transaction that goes through a flow. */
export class FlowRuns {
  constructor(private readonly transport: Transport) {}

  /** Starts the active version of a flow. */
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

  /** The flow with the path of the run, as SVG. */
  diagram(id: string, runId: string, options?: CallOptions) {
    return this.transport.call('getFlowRunDiagram', { path: { id, runId } }, options);
  }

  /** Answers the step with a code that the person typed. Each call uses one attempt, except a repeat with the same idempotency key. */
  answer(id: string, runId: string, value: string, options?: CallOptions) {
    return this.transport.call('answerFlowRun', { path: { id, runId }, body: { value } }, options);
  }

  /** Sends the message of the step again. */
  resend(id: string, runId: string, options?: CallOptions) {
    return this.transport.call('resendFlowRun', { path: { id, runId } }, options);
  }

  cancel(id: string, runId: string, options?: CallOptions) {
    return this.transport.call('cancelFlowRun', { path: { id, runId } }, options);
  }
}
