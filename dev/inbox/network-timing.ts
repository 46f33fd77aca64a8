/** How fast the simulated network is; tests shorten it. */
export interface NetworkTiming {
  sentAfterMs: number;
  deliveredAfterMs: number;
  /** Pauses before each further try of a callback that got no 2xx. */
  retryPausesMs: readonly number[];
  /** How long a request without an answer keeps its socket. */
  hangMs: number;
}

export const defaultTiming: NetworkTiming = {
  sentAfterMs: 100,
  deliveredAfterMs: 250,
  // Half a minute in all: longer than a restart of the receiver takes.
  retryPausesMs: [500, 1_000, 3_000, 8_000, 20_000],
  // Beyond every sender's own timeout, yet no socket stays for ever.
  hangMs: 60_000,
};
