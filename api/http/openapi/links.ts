import type { Route } from '../route';
import type { JsonObject } from './schema-of';

/** The names of the parameters in a path. */
const parametersOf = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));

/**
 * The OpenAPI links of a response. `provides`: the path parameters whose values are in the response. The response links to each operation
 * whose path parameters are all known. At least one of them must be in `provides`. The others can be in the path of the request.
 */
export function linksOf(route: Route, routes: readonly Route[]): JsonObject {
  if (route.operationId === undefined || !route.provides) return {};
  const { provides } = route;
  const fromPath = Object.fromEntries(parametersOf(route.path).map((name) => [name, `$request.path.${name}`]));
  const known: Record<string, string> = { ...fromPath, ...provides };
  const links = routes.flatMap((target): [string, JsonObject][] => {
    const needed = parametersOf(target.path);
    const isReached = needed.every((name) => name in known) && needed.some((name) => name in provides);
    if (target.operationId === undefined || !isReached) return [];
    const parameters = Object.fromEntries(needed.map((name) => [name, known[name]]));
    return [[target.operationId, { operationId: target.operationId, parameters }]];
  });
  return { links: Object.fromEntries(links) };
}
