/** Remembers for a moment that Temporal or its workers were away, so that reads need not each find it out anew. */
export class Outage {
  /** Short enough that reads are live again right after the return; long enough to save most of the waiting. */
  static readonly rememberedMs = 2_000;
  #until = 0;

  get lasts(): boolean {
    return Date.now() < this.#until;
  }

  note(): void {
    this.#until = Date.now() + Outage.rememberedMs;
  }
}
