import type { Route } from '../route';
import type { JsonObject } from './schema-of';

/** The names of the parameters in a path. */
const parametersOf = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));

/**
 * The OpenAPI links of a response. There is a link to another operation in this case: all its path parameters are known, and the response
 * has at least one of them (`provides`). A path parameter of the request is also known if the other operation has a path parameter with the
 * same name.
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
