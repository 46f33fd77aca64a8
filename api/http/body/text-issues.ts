/** Field names that mean something to JavaScript itself. No field of ours is called so. */
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype']);

/** What makes a text unfit for storage, or undefined. */
function issueOf(text: string): string | undefined {
  if (text.includes('\u0000')) return 'must not contain the NUL character';
  return /\p{Surrogate}/u.test(text) ? 'must not contain half of a surrogate pair' : undefined;
}

/** Path -> faults of every name and text in a parsed body, wherever it stands. `forbidden`: names that no field may have. */
export function textIssues(body: unknown, forbidden: ReadonlySet<string> = forbiddenNames): Record<string, string[]> {
  const faults = Object.create(null) as Record<string, string[]>;
  const visit = (value: unknown, path: readonly string[]): void => {
    const here = path.join('.') || 'body';
    if (typeof value === 'string') {
      const fault = issueOf(value);
      if (fault) faults[here] = [fault];
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      const fault = issueOf(name);
      if (fault) faults[here] = [`has a field whose name ${fault}`];
      else if (forbidden.has(name)) faults[here] = [`must not have a field called ${name}`];
      else visit(part, [...path, name]);
    }
  };
  visit(body, []);
  return faults;
}
