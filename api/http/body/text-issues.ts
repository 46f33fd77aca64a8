import { unsafeCharacterIssue } from '../../../domain/unsafe-characters';

/** Names that no field may have, because they have a meaning in JavaScript. */
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a field name has only safe characters and no meaning in JavaScript, so that an error may contain it. */
export const isSafeName = (name: string): boolean =>
  unsafeCharacterIssue(name) === undefined && !forbiddenNames.has(name);

/**
 * Returns the issues of all field names and texts in a parsed body, by path. Line feeds are no issue here: the schema `text` rejects them
 * in texts that must have one line. `forbidden`: names that no field may have. `anyCharacters`: whether only names are checked.
 */
export function textIssues(
  body: unknown,
  {
    forbidden = forbiddenNames,
    anyCharacters = false,
  }: { forbidden?: ReadonlySet<string>; anyCharacters?: boolean } = {},
): Record<string, string[]> {
  const issues = Object.create(null) as Record<string, string[]>;
  const visit = (value: unknown, path: readonly string[]): void => {
    const pathText = path.join('.') || 'body';
    if (typeof value === 'string' && !anyCharacters) {
      const issue = unsafeCharacterIssue(value, { lineFeed: true });
      if (issue) issues[pathText] = [issue];
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      const issue = unsafeCharacterIssue(name);
      if (issue) issues[pathText] = [`has a field name that ${issue}`];
      else if (forbidden.has(name)) issues[pathText] = [`must not have a field named ${name}`];
      else visit(part, [...path, name]);
    }
  };
  visit(body, []);
  return issues;
}
