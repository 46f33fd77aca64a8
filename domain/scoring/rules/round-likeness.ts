/** A similarity with two decimals. It is rounded down, so that a value just below a threshold does not seem to reach the threshold. */
export function roundLikeness(likeness: number): number {
  // The computer's 0.29 * 100 is a little less than 29. Adding 1e-9 corrects such rounding errors.
  return Math.floor(likeness * 100 + 1e-9) / 100;
}
