import type { DocumentedRoute } from '../route';
import type { JsonObject } from './schema-of';

/** The header parameters that many routes share. */
export const sharedParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A retry with the same key returns the first response',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    required: false,
    description: 'The language of descriptions: pt-BR, en or es',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, JsonObject>;

const referenceTo = (name: keyof typeof sharedParameters) => ({ $ref: `#/components/parameters/${name}` });

/** The parameters of a route: those in its path, its own, and the shared ones. */
export function parametersOf(route: DocumentedRoute): JsonObject {
  const pathParameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? { type: 'string', format: 'uuid' } : { type: 'string' },
  }));
  const isForCallers = route.scope !== undefined;
  const parameters = [
    ...pathParameters,
    ...(route.parameters ?? []).map((parameter) => ({ required: false, ...parameter })),
    ...(isForCallers && route.method !== 'get' && !route.ignoresKey ? [referenceTo('IdempotencyKey')] : []),
    ...(isForCallers && route.localized ? [referenceTo('AcceptLanguage')] : []),
  ];
  return parameters.length > 0 ? { parameters } : {};
}
