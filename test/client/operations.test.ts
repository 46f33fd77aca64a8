import { Countersign } from '../../client/index';
import { routes } from '../../client/generated/routes';
import { openApiDocument } from '../../api/routes';

interface Operation {
  security: { token: string[] }[];
}

const config = { PUBLIC_URL: 'http://127.0.0.1:3000', STRICT_DOCUMENTS: false, COUNTERSIGN_ENV: 'local' } as const;

/** The operations that need an access token, such as `GET /v1/flows/{}`, except those for operators. */
function documentedOperations(): string[] {
  const { paths } = openApiDocument({ config }) as unknown as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => {
        const scopes = security.flatMap(({ token }) => token);
        return scopes.length > 0 && !scopes.includes('operator:decode');
      })
      .map(([method]) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`),
  );
}

/** A successful answer of an operation, such as `GET /v1/flows/{}`. */
function answerOf(operation: string): Response {
  const route = Object.values(routes).find(
    ({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}` === operation,
  );
  const [body] = route?.bodies ?? [];
  if (body === 'none') return new Response(null, { status: 204 });
  if (body === 'object' || body === 'list') return Response.json(body === 'list' ? [] : { events: [{}], next: 0 });
  return new Response('<svg/>', { headers: { 'content-type': body ?? '' } });
}

/** Calls every method of the client. Returns the sent requests. */
async function calledOperations(): Promise<string[]> {
  const sent = new Set<string>();
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const path = decodeURIComponent(new URL(url instanceof Request ? url.url : url).pathname);
    const operation = `${init?.method} ${path.replace(/<\w+>/g, '{}')}`;
    sent.add(operation);
    return answerOf(operation);
  };
  const client = new Countersign({ baseUrl: 'http://service', accessToken: () => 'token', fetch });
  const names = (resource: object) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((name) => name !== 'constructor');
  // waitFor uses only the operations of two other methods.
  for (const resource of Object.values(client) as Record<string, (...ids: string[]) => unknown>[])
    for (const name of names(resource).filter((method) => method !== 'waitFor')) {
      const result = resource[name]?.('<one>', '<two>');
      await (Symbol.asyncIterator in Object(result) && !('then' in Object(result))
        ? (result as AsyncGenerator).next()
        : result);
    }
  return [...sent];
}

test('every operation of the OpenAPI document that a caller can use has a method', async () => {
  const called = await calledOperations();
  const documented = documentedOperations();
  expect(documented.length).toBeGreaterThan(60);
  expect(called.toSorted()).toEqual(documented.toSorted());
});
