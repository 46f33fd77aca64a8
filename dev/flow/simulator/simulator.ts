import { type ChildProcess, fork } from 'node:child_process';
import type { SimulationAnswer, SimulationRequest } from './answer-simulation';
import type { SimulationCall, SimulationResult } from './serve-simulations';

/** The child process stops after this time without requests, because its test server needs 200 MB of memory. */
const idleMs = 5 * 60_000;

interface WaitingCall {
  resolve: (answer: SimulationAnswer) => void;
  reject: (error: Error) => void;
}

interface Running {
  child: ChildProcess;
  /** The calls that the child process has not answered yet, by id. */
  waiting: Map<number, WaitingCall>;
}

/** Simulates flows in a child process, which starts with the first request. */
export class Simulator {
  #running: Running | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #lastId = 0;

  /** `script`: the path of dev/flow/simulator/main.mjs. */
  constructor(private readonly script: string) {}

  /** Throws if the simulator cannot be installed or fails. */
  async simulate(request: SimulationRequest): Promise<SimulationAnswer> {
    clearTimeout(this.#idleTimer);
    const { child, waiting } = (this.#running ??= this.#start());
    const call: SimulationCall = { id: (this.#lastId += 1), request };
    const answer = new Promise<SimulationAnswer>((resolve, reject) => waiting.set(call.id, { resolve, reject }));
    // The child process may not be ready yet. It reads the call later.
    child.send(call);
    try {
      return await answer;
    } finally {
      clearTimeout(this.#idleTimer);
      if (this.#running?.waiting.size === 0) this.#idleTimer = setTimeout(() => this.stop(), idleMs).unref();
    }
  }

  /** Stops the child process. A later request starts it again. */
  stop(): void {
    clearTimeout(this.#idleTimer);
    if (this.#running?.child.connected) this.#running.child.disconnect();
    this.#running = undefined;
  }

  #start(): Running {
    const child = fork(this.script, [], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const waiting: Running['waiting'] = new Map();
    child.on('message', ({ id, ...answer }: SimulationResult) => {
      const call = waiting.get(id);
      waiting.delete(id);
      if ('failure' in answer) call?.reject(new Error(answer.failure));
      else call?.resolve(answer);
    });
    const fail = (error: Error) => {
      if (this.#running?.child === child) this.#running = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`The simulator ended with ${code}. See the log of the inbox.`)));
    return { child, waiting };
  }
}
