const separator = /\s*:/y;
const stringToken = /"(?:[^"\\]|\\.)*"/y;

interface Open {
  keys: Set<string>;
  /** The key that stands before the value which is being read. */
  key?: string;
}

/**
 * What the parser would pass over in silence: a key that is given twice, of which it keeps the last, and `__proto__`,
 * which no reader of the result would see. Takes text that is JSON.
 */
export function keyIssues(text: string): string[] {
  const open: Open[] = [];
  const faults: string[] = [];
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
    // Escapes are undone first: "a" and "\u0061" are the same key.
    const key = JSON.parse(token) as string;
    const path = [...open.slice(0, -1).map((each) => each.key), key].filter((part) => part !== undefined).join('.');
    if (inner.keys.has(key)) faults.push(`${path}: is given twice; keep one`);
    if (key === '__proto__') faults.push(`${path}: there is no such setting; leave it out`);
    inner.keys.add(key);
    inner.key = key;
  }
  return faults;
}
