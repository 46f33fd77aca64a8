export interface ApiResponse {
  status: number;
  headers: Headers;
  /** The raw body. */
  text: string;
  /** The parsed body if it is JSON, otherwise undefined. */
  body: unknown;
  durationMs: number;
}
