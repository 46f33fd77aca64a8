import { type ChildProcess, fork } from 'node:child_process';

/** One request, begun at an instant in milliseconds of this machine's clock. */
export interface Reading {
  at: number;
  ms: number;
  /** 0: there was no answer. */
  status: number;
}

/** Another process that sends GET /v1/transaction/{id}, one request after the other on one connection. */
export class TransactionReader {
  readonly #child: ChildProcess;

  constructor(
    readonly url: string,
    readonly token: string,
  ) {
    // Its session is not the one that gives way.
    this.#child = fork(require.resolve('./reading-process.mjs'), { execArgv: [], detached: true });
  }

  /** Reads so many times. */
  readTimes(requestsMax: number): Promise<Reading[]> {
    return this.#begin(requestsMax);
  }

  /** Reads for as long as some work takes. */
  async readDuring<Result>(work: () => Promise<Result>): Promise<{ readings: Reading[]; result: Result }> {
    const reading = this.#begin(Number.MAX_SAFE_INTEGER);
    try {
      return { result: await work(), readings: await this.#finish(reading) };
    } catch (error) {
      await this.#finish(reading);
      throw error;
    }
  }

  end(): void {
    this.#child.kill();
  }

  async #finish(reading: Promise<Reading[]>): Promise<Reading[]> {
    this.#child.send('end');
    return reading;
  }

  #begin(requestsMax: number): Promise<Reading[]> {
    return new Promise((resolve, reject) => {
      const lost = () => reject(new Error('The reading process has ended.'));
      this.#child.once('exit', lost);
      this.#child.once('message', (readings) => {
        this.#child.off('exit', lost);
        resolve(readings as Reading[]);
      });
      this.#child.send({ url: this.url, token: this.token, requestsMax });
    });
  }
}
