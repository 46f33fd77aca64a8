/** Field names with a meaning in JavaScript. */
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype']);

/** Postgres can store neither. */
function issueOf(text: string): string | undefined {
  if (text.includes('\u0000')) return 'must not contain the NUL character';
  return /\p{Surrogate}/u.test(text) ? 'must not contain half of a surrogate pair' : undefined;
}

/** Path -> issues of every field name and text in a parsed body. `forbidden`: names that no field may have. */
export function textIssues(body: unknown, forbidden: ReadonlySet<string> = forbiddenNames): Record<string, string[]> {
  const issues = Object.create(null) as Record<string, string[]>;
  const visit = (value: unknown, path: readonly string[]): void => {
    const here = path.join('.') || 'body';
    if (typeof value === 'string') {
      const issue = issueOf(value);
      if (issue) issues[here] = [issue];
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      const issue = issueOf(name);
      if (issue) issues[here] = [`has a field whose name ${issue}`];
      else if (forbidden.has(name)) issues[here] = [`must not have a field named ${name}`];
      else visit(part, [...path, name]);
    }
  };
  visit(body, []);
  return issues;
}
