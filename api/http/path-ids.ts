import type { Request } from 'express';

/** A UUID of any version, in lower or upper case. */
const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The parameters of a path, with each UUID in lower case. Upper and lower case are the same UUID (RFC 9562, 4), and some callers store
 * UUIDs in upper case. All ids of the service are in lower case, so everything behind the routes may compare them as texts.
 */
export function withLowerCaseIds(params: Request['params']): Request['params'] {
  const lowered: Request['params'] = { ...params };
  for (const [name, value] of Object.entries(params))
    if (typeof value === 'string' && uuidPattern.test(value)) lowered[name] = value.toLowerCase();
  return lowered;
}
