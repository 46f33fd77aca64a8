/** A copy of a value as plain JSON data. Undefined if JSON cannot hold the value. */
export function toJsonData(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}
