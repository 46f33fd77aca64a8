import { Problem } from '../problem';

/** Counts the requests of each client in windows of one second. */
export class RateLimit {
  #second = 0;
  #counts = new Map<string, number>();

  /** 0 switches the limit off. */
  constructor(private readonly perSecond: number) {}

  /** Counts a request and returns its headers (draft-ietf-httpapi-ratelimit-headers). Throws rate_limited. */
  count(clientId: string, nowMs = Date.now()): Record<string, string> {
    if (this.perSecond === 0) return {};
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#counts.clear();
    }
    const requestCount = (this.#counts.get(clientId) ?? 0) + 1;
    this.#counts.set(clientId, requestCount);
    const headers = {
      'RateLimit-Policy': `"client";q=${this.perSecond};w=1`,
      RateLimit: `"client";r=${Math.max(0, this.perSecond - requestCount)};t=1`,
    };
    if (requestCount > this.perSecond) throw new Problem('rate_limited', { headers });
    return headers;
  }
}
