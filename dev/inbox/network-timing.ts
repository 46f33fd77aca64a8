/** Delays of the simulated network. Tests shorten them. */
export interface NetworkTiming {
  sentAfterMs: number;
  deliveredAfterMs: number;
  /** How long a phone rings before the call is answered at once. */
  answeredAfterMs: number;
  /** How long a call goes on after it has said everything. Until then, the person can press a key. */
  hungUpAfterMs: number;
  /** Pauses before the retries of a callback whose response was not 2xx. */
  retryPausesMs: readonly number[];
  /** How long the socket of a request without a response stays open. */
  hangMs: number;
}

export const defaultTiming: NetworkTiming = {
  sentAfterMs: 100,
  deliveredAfterMs: 250,
  answeredAfterMs: 500,
  hungUpAfterMs: 20_000,
  // The pauses take half a minute in total. This is longer than a restart of the receiver.
  retryPausesMs: [500, 1_000, 3_000, 8_000, 20_000],
  // Longer than the timeouts of all senders.
  hangMs: 60_000,
};
