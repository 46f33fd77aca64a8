import { setTimeout as sleep } from 'node:timers/promises';
import { noiseImage } from '../../images/test-images';
import type { Cluster } from './cluster';
import { kindOf, Person } from './persons';
import type { Random } from './random';

/** Persons at the same time. With more, a machine with two cores is so busy that a normal request takes seconds. */
const lanes = 6;

/** Persons who confirm themselves, from before the first fault until after the last one. */
export class Traffic {
  readonly persons: Person[] = [];
  finished = 0;
  #allowed = 0;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly cluster: Cluster,
    private readonly random: Random,
    readonly total: number,
    private readonly onProgress: () => void,
    /** When it is aborted, no more persons start. */
    private readonly ending: AbortSignal,
  ) {}

  async start(): Promise<void> {
    const image = await noiseImage(640, 800);
    this.#ended = Promise.all(Array.from({ length: lanes }, () => this.#runLane(image)));
  }

  /** Lets this share of all persons start, so that the rest is left for later faults. */
  allow(share: number): void {
    this.#allowed = Math.min(this.total, Math.max(this.#allowed, Math.ceil(this.total * share)));
  }

  /** Waits until this share of all persons has finished, or no more persons start. */
  async waitFor(share: number): Promise<void> {
    while (!this.ending.aborted && this.finished < Math.floor(this.total * share)) await sleep(100);
  }

  /** Waits for all persons. */
  async end(): Promise<void> {
    this.allow(1);
    await this.#ended;
  }

  async #runLane(image: Uint8Array): Promise<void> {
    while (!this.ending.aborted && this.persons.length < this.total) {
      if (this.persons.length >= this.#allowed) {
        await sleep(100);
        continue;
      }
      const person = new Person(this.cluster, kindOf(this.persons.length), this.random, image);
      this.persons.push(person);
      await person.run();
      this.finished += 1;
      this.onProgress();
    }
  }
}
