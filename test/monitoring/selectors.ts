/** One selector of an expression, such as `up{job="api"}`. */
export interface Selector {
  metric: string;
  matchers: string;
}

/** Words of PromQL that a name can be confused with. */
const keywords = new Set(['and', 'or', 'unless', 'bool']);

/** The selectors of an expression: names that are no functions, keywords, labels or strings. */
export function selectorsOf(expression: string): Selector[] {
  const withoutWindows = expression.replace(/\[[^\]]*\]/g, '').replace(/offset \w+/g, '');
  const labelLists = /\b(by|on|without|ignoring)\s*\([^)]*\)/g;
  const name = /([a-z_:][\w:]*)(\{[^{}"]*(?:"[^"]*"[^{}"]*)*\})?(?!\w)(\s*\()?/gi;
  return Array.from(withoutWindows.replace(labelLists, '').matchAll(name)).flatMap(
    ([, metric = '', matchers = '', isFunction]) =>
      isFunction !== undefined || keywords.has(metric) ? [] : [{ metric, matchers }],
  );
}
