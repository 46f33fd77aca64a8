import { closestMatch } from '../../domain/closest-match';
import type { Route } from './route';

const segmentsOf = (path: string) => path.split('/').slice(1);
const isParameter = (segment: string) => segment.startsWith('{');

/** Longer paths are not compared, because the time of a comparison grows with the product of the numbers of segments and routes. */
const segmentsMax = 10;

/** How many segments of a route differ from the given ones. Undefined if a differing segment is not close, too. */
function differencesOf(route: string, given: readonly string[]): number | undefined {
  const segments = segmentsOf(route);
  if (segments.length !== given.length) return undefined;
  let differences = 0;
  for (const [index, segment] of segments.entries()) {
    const givenSegment = given[index] ?? '';
    if (isParameter(segment) ? givenSegment !== '' : segment === givenSegment) continue;
    if (isParameter(segment) || closestMatch(givenSegment, [segment]) === undefined) return undefined;
    differences += 1;
  }
  return differences;
}

/**
 * The operation that a request to an unknown path, or with a wrong method, probably meant, such as `POST /v1/transaction`. A path is
 * compared segment by segment; every value fits a parameter. The operation has the method of the request. Undefined if none is close. The
 * text has no value of the request.
 */
export function closestOperation(
  routes: readonly Pick<Route, 'method' | 'path'>[],
  method: string,
  path: string,
): string | undefined {
  const given = segmentsOf(path.length > 1 ? path.replace(/\/$/, '') : path);
  if (given.length > segmentsMax) return undefined;
  const wantedMethod = method === 'HEAD' ? 'get' : method.toLowerCase();
  let closest: { path: string; differences: number } | undefined;
  for (const route of routes) {
    const differences = route.method === wantedMethod ? differencesOf(route.path, given) : undefined;
    if (differences !== undefined && differences < (closest?.differences ?? Infinity))
      closest = { path: route.path, differences };
  }
  return closest && `${wantedMethod.toUpperCase()} ${closest.path}`;
}
