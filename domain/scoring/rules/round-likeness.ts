/**
 * A likeness with two decimals, for explanations. Cut and not rounded, so that one just below a threshold is not told
 * as if it had reached it.
 */
export function roundLikeness(likeness: number): number {
  // Products such as 0.29 * 100 fall short of the whole number by less than this.
  return Math.floor(likeness * 100 + 1e-9) / 100;
}
