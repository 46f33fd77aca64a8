/** Remembers for a moment that Temporal or its workers were away, so that reads need not each find it out anew. */
export class Outage {
  /** Short enough that reads are live again right after the return; long enough to save most of the waiting. */
  static readonly rememberedMs = 2_000;
  #untilMs = 0;
  /** When the silence of each workflow is forgotten, by its id. */
  readonly #silent = new Map<string, number>();

  /** Whether asking this workflow would only cost time. */
  lasts(workflowId: string): boolean {
    const now = Date.now();
    return now < this.#untilMs || now < (this.#silent.get(workflowId) ?? 0);
  }

  /** Temporal itself could not be reached: no workflow can be asked. */
  noteUnreachable(): void {
    this.#untilMs = Date.now() + Outage.rememberedMs;
  }

  /** A workflow gave no answer in time. One alone may be stuck or slow; two at once mean that no worker answers. */
  noteSilent(workflowId: string): void {
    const now = Date.now();
    for (const [id, until] of this.#silent) if (until <= now) this.#silent.delete(id);
    this.#silent.set(workflowId, now + Outage.rememberedMs);
    if (this.#silent.size > 1) this.noteUnreachable();
  }
}
