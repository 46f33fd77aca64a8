export interface ApiResponse {
  status: number;
  headers: Headers;
  /** The raw body. */
  text: string;
  /** The parsed body if it is JSON, otherwise undefined. */
  body: unknown;
  /** The time from the request until the whole body has arrived. */
  durationMs: number;
}
