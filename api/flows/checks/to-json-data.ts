/** A copy of a value as plain JSON data; undefined when JSON cannot hold it. */
export function toJsonData(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}
