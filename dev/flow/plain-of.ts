/** A value as JSON has it; undefined for one that is no plain data, such as a circle. */
export function plainOf(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}
