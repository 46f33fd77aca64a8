import { Problem } from '../problem';

/** Temporal takes 10 updates of one workflow at a time; several API processes share them. */
const atOnce = 4;

/** Beyond this a transaction is under attack or in a loop, and waiting would only fill memory. */
const waitingMax = 500;

/** A caller in the queue is told to come back after this. */
const waitMs = 10_000;

interface Gate {
  inside: number;
  waiting: (() => void)[];
}

/** Lets a few calls per key through at a time; others wait for their turn, in order. */
export class Turnstile {
  readonly #gates = new Map<string, Gate>();

  async pass<Result>(key: string, call: () => Promise<Result>): Promise<Result> {
    const gate = this.#gates.get(key) ?? { inside: 0, waiting: [] };
    this.#gates.set(key, gate);
    if (gate.inside < atOnce) gate.inside += 1;
    else await Turnstile.#turn(gate);
    try {
      return await call();
    } finally {
      this.#leave(key, gate);
    }
  }

  /** Waits until the one who leaves hands its place over. */
  static #turn(gate: Gate): Promise<void> {
    if (gate.waiting.length >= waitingMax) throw new Problem('service_unavailable');
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        gate.waiting.splice(gate.waiting.indexOf(enter), 1);
        reject(new Problem('service_unavailable'));
      }, waitMs);
      gate.waiting.push(enter);
    });
  }

  #leave(key: string, gate: Gate): void {
    const next = gate.waiting.shift();
    if (next) return next();
    gate.inside -= 1;
    if (gate.inside === 0) this.#gates.delete(key);
  }
}
