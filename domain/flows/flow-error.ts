/** An invalid flow. */
export class FlowError extends Error {
  override name = 'FlowError';

  constructor(
    message: string,
    /** The definition, if known. */
    readonly definition?: unknown,
  ) {
    super(message);
  }
}
