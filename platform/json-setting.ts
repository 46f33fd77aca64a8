import { readFileSync } from 'node:fs';

/**
 * Reads a setting that is JSON, or the path of a JSON file. Returns the JSON as a text in which each value such as `$SMTP_URL` is that of the
 * environment variable, so that the file has no secrets; or an issue, which quotes nothing of the JSON.
 */
export function readJsonSetting(value: string, environment: NodeJS.ProcessEnv): { json: string } | { issue: string } {
  const isInline = value.trimStart().startsWith('{');
  const missing: string[] = [];
  const fill = (_key: string, part: unknown): unknown => {
    const [, name] = typeof part === 'string' ? (/^\$([A-Z][A-Z0-9_]*)$/.exec(part) ?? []) : [];
    if (name === undefined) return part;
    const found = environment[name];
    if (!found) missing.push(name);
    return found;
  };
  try {
    const json = JSON.stringify(JSON.parse(isInline ? value : readFileSync(value, 'utf8'), fill));
    return missing.length > 0 ? { issue: `the environment variable ${missing.join(', ')} is not set` } : { json };
  } catch (error) {
    const source = isInline ? 'the value' : value;
    // An error of the parser would quote the text.
    const reason = error instanceof SyntaxError ? 'is not valid JSON' : `cannot be read: ${(error as Error).message}`;
    return { issue: `${source} ${reason}` };
  }
}
