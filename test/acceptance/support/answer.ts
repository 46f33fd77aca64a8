export interface ApiResponse {
  status: number;
  headers: Headers;
  /** The answer as it came. */
  text: string;
  /** Parsed when it is JSON, undefined otherwise. */
  body: unknown;
  ms: number;
}
