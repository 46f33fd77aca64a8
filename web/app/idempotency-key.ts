/** A new value for the header Idempotency-Key. The page may not be in a secure context, which randomUUID needs. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
