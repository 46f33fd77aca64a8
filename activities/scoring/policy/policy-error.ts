/** Policies that cannot be used. Every fault names its file, its path into the file and how to fix it. */
export class PolicyError extends Error {
  override name = 'PolicyError';

  constructor(readonly faults: readonly string[]) {
    super(`The policies of the scoring cannot be used.\n  ${faults.join('\n  ')}`);
  }
}
