/**
 * A similarity with two decimals, rounded down, so that a value just below a threshold does not seem to reach it.
 */
export function roundLikeness(likeness: number): number {
  // Rounding errors of products such as 0.29 * 100 are smaller than this.
  return Math.floor(likeness * 100 + 1e-9) / 100;
}
