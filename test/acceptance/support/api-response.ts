export interface ApiResponse {
  status: number;
  headers: Headers;
  /** The raw body. */
  text: string;
  /** Undefined if the body is not JSON. */
  body: unknown;
  /** From the request until the whole body has arrived. */
  durationMs: number;
}
