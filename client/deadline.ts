import { CountersignTimeoutError } from './errors.ts';

/** The longest delay of `setTimeout`. A timer with a longer delay would fire at once. */
const timerMaxMs = 2 ** 31 - 1;

/** Ends one call: when its time is over, or when the caller aborts it. */
export class Deadline {
  readonly #endMs: number;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  /**
   * Whether the timer of the deadline has fired. The clock alone is not enough, because a timer can fire a little before the clock reaches
   * the deadline.
   */
  #isOver = false;

  constructor(timeoutMs: number, signal?: AbortSignal) {
    this.#endMs = performance.now() + timeoutMs;
    this.#timeoutMs = timeoutMs;
    this.#signal = signal;
  }

  get leftMs(): number {
    return this.#isOver ? 0 : Math.max(0, this.#endMs - performance.now());
  }

  /**
   * Throws if the call must end. If the caller has aborted it, throws the reason of the caller's signal. After the deadline, throws
   * CountersignTimeoutError.
   */
  check(cause?: unknown): void {
    this.#signal?.throwIfAborted();
    if (this.leftMs === 0)
      throw new CountersignTimeoutError(`The call did not succeed within ${this.#timeoutMs} ms.`, { cause });
  }

  /** Runs `work` with a signal. The signal aborts at the deadline, after `atMostMs`, or when the caller aborts. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>, atMostMs = Number.POSITIVE_INFINITY): Promise<T> {
    this.check();
    const controller = new AbortController();
    const abort = () => controller.abort();
    const { leftMs } = this;
    const timer = setTimeout(
      () => {
        this.#isOver ||= leftMs <= atMostMs;
        abort();
      },
      Math.min(leftMs, atMostMs, timerMaxMs),
    );
    this.#signal?.addEventListener('abort', abort, { once: true });
    try {
      return await work(controller.signal);
    } finally {
      clearTimeout(timer);
      this.#signal?.removeEventListener('abort', abort);
    }
  }

  /**
   * Waits for the result of `start`, at most until the deadline. At the deadline, throws like `check`, but does not stop `start`, because
   * other calls may need its result.
   */
  async wait<T>(start: () => Promise<T>): Promise<T> {
    const first = await this.run((signal) => Promise.race([start().then((value) => ({ value })), aborted(signal)]));
    if (first) return first.value;
    this.check();
    throw new Error('The wait ended before its deadline: this is a bug.');
  }

  /** Pauses for `ms`, but at most until the deadline. At the deadline, throws like `check`. */
  async pause(ms: number): Promise<void> {
    await this.run(aborted, ms);
    this.check();
  }
}

/** Resolves when the signal aborts. */
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
