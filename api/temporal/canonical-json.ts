import { createHash } from 'node:crypto';

/** JSON with sorted fields: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([left], [right]) => (left < right ? -1 : 1)));
  });
}

/** A digest that is equal for equal values, whatever the order of their fields. */
export const digestOf = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');
