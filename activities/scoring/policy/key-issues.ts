const separator = /\s*:/y;
const stringToken = /"(?:[^"\\]|\\.)*"/y;

interface Open {
  keys: Set<string>;
  /** The key of the value that is being read. */
  key?: string;
}

/**
 * The mistakes that JSON.parse ignores: a duplicate key, of which it uses the last, and `__proto__`, which would be lost. Takes valid
 * JSON.
 */
export function keyIssues(text: string): string[] {
  const open: Open[] = [];
  const issues: string[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '{' || character === '[') open.push({ keys: new Set() });
    else if (character === '}' || character === ']') open.pop();
    if (character !== '"') continue;
    stringToken.lastIndex = index;
    const token = stringToken.exec(text)?.[0] ?? '"';
    index += token.length - 1;
    const inner = open.at(-1);
    separator.lastIndex = index + 1;
    if (!inner || !separator.test(text)) continue;
    // Parsed, because "a" and "\u0061" are the same key.
    const key = JSON.parse(token) as string;
    const path = [...open.slice(0, -1).map((each) => each.key), key].filter((part) => part !== undefined).join('.');
    if (inner.keys.has(key)) issues.push(`${path}: is a duplicate; keep one`);
    if (key === '__proto__') issues.push(`${path}: is not a setting; remove it`);
    inner.keys.add(key);
    inner.key = key;
  }
  return issues;
}
