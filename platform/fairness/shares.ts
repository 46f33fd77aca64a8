/** One limit of a place: the subject to which the place belongs, such as a tenant, and how many places the subject may have at most. */
export interface Share {
  subject: string;
  max: number;
}

/**
 * Counts places by subject, so that no subject takes more than its share. A place can belong to several subjects, such as a client, its
 * tenant and the whole process.
 */
export class Shares {
  readonly #counts = new Map<string, number>();

  /**
   * Takes a place if every share has room. Returns the function that gives the place back; more calls of this function do nothing. Returns
   * undefined if a share is used up; then nothing is counted.
   */
  take(shares: readonly Share[]): (() => void) | undefined {
    if (shares.some(({ subject, max }) => this.count(subject) >= max)) return undefined;
    for (const { subject } of shares) this.#add(subject, 1);
    let isTaken = true;
    return () => {
      if (isTaken) for (const { subject } of shares) this.#add(subject, -1);
      isTaken = false;
    };
  }

  /** How many places a subject has. */
  count(subject: string): number {
    return this.#counts.get(subject) ?? 0;
  }

  #add(subject: string, difference: number): void {
    const count = this.count(subject) + difference;
    if (count > 0) this.#counts.set(subject, count);
    else this.#counts.delete(subject);
  }
}
