import { closestMatch } from '../../domain/text';
import type { Route } from './route';

type Operation = Pick<Route, 'method' | 'path'>;

const segmentsOf = (path: string) => path.split('/').slice(1);

const isParameter = (segment: string) => segment.startsWith('{');

const isVersion = (segment: string) => /^v\d+$/i.test(segment);

/** Longer paths are not compared, because the time of a comparison grows with the product of the numbers of segments and routes. */
const segmentsMax = 10;

/** How many segments of a route may be missing in the path, such as `/tokens` after `/sms`. */
const missingMax = 2;

/** A missing segment counts more than one with a typing mistake. */
const missingCost = 3;

/** An abbreviation, such as `auth`, has at least this many letters. */
const abbreviationMin = 4;

/** The words of other services for getting an access token, because no path of this service resembles them. */
const otherNames: Readonly<Record<string, string>> = { token: '/oauth2/token', login: '/oauth2/token' };

/** Whether a segment may be meant by another one: a typing mistake, or an abbreviation. */
const isClose = (given: string, segment: string) =>
  closestMatch(given, [segment]) !== undefined ||
  (given.length >= abbreviationMin && segment.startsWith(given.toLowerCase()));

/**
 * How far a path is from a route. Undefined if a segment of the path does not fit, or if only parameters and the version fit. A parameter
 * has a value only if the segment before it is in the path too.
 */
function distanceOf(route: readonly string[], given: readonly string[]): number | undefined {
  const compare = (at: number, from: number, missing: number, named: boolean): number => {
    const [segment, value] = [route[at], given[from]];
    if (segment === undefined) return value === undefined && named ? 0 : Infinity;
    const skipped = missing < missingMax ? missingCost + skip(at, from, missing, named) : Infinity;
    if (value === undefined || value === '') return skipped;
    if (isParameter(segment)) return Math.min(skipped, compare(at + 1, from + 1, missing, named));
    if (segment !== value && !isClose(value, segment)) return skipped;
    const cost = segment === value ? 0 : 1;
    return Math.min(skipped, cost + compare(at + 1, from + 1, missing, named || !isVersion(segment)));
  };
  /** Leaves out a segment of the route, and the parameter after it. */
  const skip = (at: number, from: number, missing: number, named: boolean): number => {
    const next = !isParameter(route[at] ?? '') && isParameter(route[at + 1] ?? '') ? at + 2 : at + 1;
    return compare(next, from, missing + 1, named);
  };
  const distance = compare(0, 0, 0, false);
  return distance === Infinity ? undefined : distance;
}

/** The readings of a path, the likeliest first: as it is, without the prefix `/api`, and with or without the version. */
function readingsOf(given: readonly string[]): (readonly string[])[] {
  const path = given[0]?.toLowerCase() === 'api' ? given.slice(1) : given;
  const other = isVersion(path[0] ?? '') ? path.slice(1) : ['v1', ...path];
  return [path, other].filter(({ length }) => length > 0);
}

/**
 * The operation that a request to an unknown path, or with a wrong method, probably meant, such as `POST /v1/transaction`. A path is
 * compared segment by segment; every value fits a parameter. The operation has the method of the request. Undefined if none is close. The
 * text has no value of the request.
 */
export function closestOperation(operations: readonly Operation[], method: string, path: string): string | undefined {
  const given = segmentsOf(path.length > 1 ? path.replace(/\/$/, '') : path);
  if (given.length > segmentsMax) return undefined;
  const wantedMethod = method === 'HEAD' ? 'get' : method.toLowerCase();
  const candidates = operations.filter((operation) => operation.method === wantedMethod);
  const otherName = Object.hasOwn(otherNames, given.at(-1) ?? '') ? otherNames[given.at(-1) ?? ''] : undefined;
  let closest: { path: string; distance: number } | undefined;
  for (const reading of readingsOf(given))
    for (const candidate of candidates) {
      const distance = distanceOf(segmentsOf(candidate.path), reading);
      if (distance !== undefined && distance < (closest?.distance ?? Infinity))
        closest = { path: candidate.path, distance };
    }
  const isOther = closest === undefined && candidates.some((candidate) => candidate.path === otherName);
  const found = isOther ? otherName : closest?.path;
  return found && `${wantedMethod.toUpperCase()} ${found}`;
}
