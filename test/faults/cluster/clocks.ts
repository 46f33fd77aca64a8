import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The clocks of single processes. The library libfaketime adds an offset to the time of each process that loads it, and reads the offset
 * from a file. The clock of the machine never changes.
 */
export class Clocks {
  constructor(
    private readonly library: string,
    private readonly folder: string,
  ) {
    mkdirSync(folder, { recursive: true });
  }

  /** The variables of a process whose clock can step. */
  environment(name: string): NodeJS.ProcessEnv {
    this.set(name, 0);
    return {
      LD_PRELOAD: this.library,
      FAKETIME_TIMESTAMP_FILE: this.#file(name),
      // The process notices a step within a second. Without a cache, it would read the file whenever it needs the time.
      FAKETIME_CACHE_DURATION: '1',
      // As on a real machine, a step of the clock does not change the monotonic clock, with which programs measure durations.
      DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** Steps the clock of the process to this many seconds after the real time. */
  set(name: string, seconds: number): void {
    writeFileSync(this.#file(name), `${seconds < 0 ? '' : '+'}${seconds}\n`);
  }

  #file(name: string): string {
    return join(this.folder, name);
  }
}
