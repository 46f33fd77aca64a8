/** Field names with a meaning in JavaScript. */
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype']);

/** What is wrong with a text. Postgres can store neither NUL nor half of a surrogate pair. */
function issueOf(text: string): string | undefined {
  if (text.includes('\u0000')) return 'must not contain the NUL character';
  return /\p{Surrogate}/u.test(text) ? 'must not contain half of a surrogate pair' : undefined;
}

/** The issues of all field names and texts in a parsed body, by path. `forbidden`: names that no field may have. */
export function textIssues(body: unknown, forbidden: ReadonlySet<string> = forbiddenNames): Record<string, string[]> {
  const issues = Object.create(null) as Record<string, string[]>;
  const visit = (value: unknown, path: readonly string[]): void => {
    const pathText = path.join('.') || 'body';
    if (typeof value === 'string') {
      const issue = issueOf(value);
      if (issue) issues[pathText] = [issue];
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      const issue = issueOf(name);
      if (issue) issues[pathText] = [`has a field whose name ${issue}`];
      else if (forbidden.has(name)) issues[pathText] = [`must not have a field named ${name}`];
      else visit(part, [...path, name]);
    }
  };
  visit(body, []);
  return issues;
}
