/** A new value for the header Idempotency-Key. It does not use randomUUID, which browsers offer only with HTTPS or on localhost. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
