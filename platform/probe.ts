/** How long an answer is used. This is shorter than the interval of all usual probes. */
const lifetimeMs = 1_000;
/** A service that needs longer cannot do its work. Usual probes wait at least this long. */
const answerWithinMs = 2_000;

/**
 * Creates a function that returns whether a service answers. `check` asks the service, and rejects if it cannot do its work. An answer is
 * used for one second, and only one check runs at a time. Probes need no token, but with these limits they cannot take the connections of
 * callers.
 */
export function createProbe(check: () => Promise<unknown>): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  return () => {
    if (answer) return answer;
    answer = new Promise<boolean>((resolve) => {
      setTimeout(() => resolve(false), answerWithinMs).unref();
      check().then(
        () => resolve(true),
        () => resolve(false),
      );
    });
    void answer.then(() => setTimeout(() => (answer = undefined), lifetimeMs).unref());
    return answer;
  };
}
