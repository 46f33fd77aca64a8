import type { Source } from './transactions';

/** The header that shows where a read comes from. */
export function sourceHeaders(source: Source): Record<string, string> {
  return { 'X-Countersign-Source': source };
}
