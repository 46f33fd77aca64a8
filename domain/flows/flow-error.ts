/** A flow that cannot be as it is written. */
export class FlowError extends Error {
  override name = 'FlowError';

  constructor(
    message: string,
    /** What was written, where it is known. */
    readonly definition?: unknown,
  ) {
    super(message);
  }
}
