/** A flow that cannot be as it is written. */
export class FlowError extends Error {
  override name = 'FlowError';
}
