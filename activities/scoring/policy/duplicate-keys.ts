/** The colon that follows a key. */
const separator = /\s*:/y;

/** A text in JSON, including its quotes. */
const stringToken = /"(?:[^"\\]|\\.)*"/y;

/** An object or a list in the JSON text. Its closing bracket is not read yet. */
interface OpenValue {
  keys: Set<string>;
  /** The key of the value that is being read. */
  key?: string;
}

/**
 * Finds mistakes in valid JSON that JSON.parse does not report. JSON.parse uses only the last value of a duplicate key, and loses
 * the key `__proto__`.
 */
export function findDuplicateOrReservedKeys(text: string): string[] {
  const openValues: OpenValue[] = [];
  const issues: string[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '{' || character === '[') openValues.push({ keys: new Set() });
    else if (character === '}' || character === ']') openValues.pop();
    if (character !== '"') continue;
    stringToken.lastIndex = index;
    const token = stringToken.exec(text)?.[0] ?? '"';
    index += token.length - 1;
    const openValue = openValues.at(-1);
    separator.lastIndex = index + 1;
    if (!openValue || !separator.test(text)) continue;
    // The key is parsed, because "a" and "\u0061" are the same key.
    const key = JSON.parse(token) as string;
    const path = [...openValues.slice(0, -1).map((each) => each.key), key]
      .filter((part) => part !== undefined)
      .join('.');
    if (openValue.keys.has(key)) issues.push(`${path}: is a duplicate; keep one`);
    if (key === '__proto__') issues.push(`${path}: is not a setting; remove it`);
    openValue.keys.add(key);
    openValue.key = key;
  }
  return issues;
}
