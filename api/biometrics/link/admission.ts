import { Problem } from '../../http/problem';

/** Lets so many requests do something at once: in all, and for each link. */
export class Admission {
  readonly #inside = new Map<string, number>();
  #all = 0;

  constructor(
    private readonly max: number,
    private readonly maxPerLink: number,
  ) {}

  /** Does the work of a request. Throws images_busy, without waiting, while too many others are at it. */
  async during<Result>(linkId: string, work: () => Promise<Result>): Promise<Result> {
    const mine = this.#inside.get(linkId) ?? 0;
    if (mine >= this.maxPerLink || this.#all >= this.max) throw new Problem('images_busy');
    this.#inside.set(linkId, mine + 1);
    this.#all += 1;
    try {
      return await work();
    } finally {
      this.#all -= 1;
      const left = (this.#inside.get(linkId) ?? 1) - 1;
      if (left > 0) this.#inside.set(linkId, left);
      else this.#inside.delete(linkId);
    }
  }
}
