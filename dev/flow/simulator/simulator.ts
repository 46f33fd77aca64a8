import { type ChildProcess, fork } from 'node:child_process';
import type { SimulationAnswer, SimulationRequest } from './answer-simulation';
import type { SimulationCall, SimulationResult } from './serve-simulations';

/** The test server needs 200 MB of memory, so it stops when nobody simulates. */
const idleMs = 5 * 60_000;

/** Simulates flows in a child process, which starts with the first request. */
export class Simulator {
  #child: ChildProcess | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #lastId = 0;
  readonly #waiting = new Map<
    number,
    { resolve: (answer: SimulationAnswer) => void; reject: (error: Error) => void }
  >();

  /** `script`: the path of dev/flow/simulator/main.mjs. */
  constructor(private readonly script: string) {}

  /** Throws if the simulator cannot be installed or fails. */
  async simulate(request: SimulationRequest): Promise<SimulationAnswer> {
    clearTimeout(this.#idleTimer);
    const child = (this.#child ??= this.#start());
    const call: SimulationCall = { id: (this.#lastId += 1), request };
    const answer = new Promise<SimulationAnswer>((resolve, reject) => this.#waiting.set(call.id, { resolve, reject }));
    // The child reads its messages once it is ready.
    child.send(call);
    try {
      return await answer;
    } finally {
      if (this.#waiting.size === 0) this.#idleTimer = setTimeout(() => this.stop(), idleMs).unref();
    }
  }

  /** Stops the child process. A later request starts it again. */
  stop(): void {
    clearTimeout(this.#idleTimer);
    if (this.#child?.connected) this.#child.disconnect();
    this.#child = undefined;
  }

  #start(): ChildProcess {
    const child = fork(this.script, [], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.on('message', (result: SimulationResult | 'ready') => {
      if (result === 'ready') return;
      const { id, ...answer } = result;
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if ('failure' in answer) waiting?.reject(new Error(answer.failure));
      else waiting?.resolve(answer);
    });
    const fail = (error: Error) => {
      if (this.#child === child) this.#child = undefined;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`The simulator ended with ${code}. See the log of the inbox.`)));
    return child;
  }
}
