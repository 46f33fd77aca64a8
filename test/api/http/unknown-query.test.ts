import { scopes } from '../../../api/http/auth/access-tokens';
import { hasBody } from '../../../api/http/route';
import { routes } from '../../../api/routes';
import { ApiWorld, problemShape } from '../api-world';

let world: ApiWorld;
let token: string;
/** The values of path parameters. They exist, so that no request is rejected for its path. */
let values: Record<string, string>;
beforeAll(async () => {
  world = await ApiWorld.open();
  const caller = { clientId: 'c', tenant: 'local', scopes: [...scopes], clientVersion: 1 };
  token = await world.dependencies.accessTokens.issue(caller);
  const { id } = await world.createTransaction();
  const webhook = await world.post('/v1/webhooks', { body: { url: 'https://example.com/hook' } });
  values = { id, name: 'sms-token', version: '1', webhookId: (webhook.body as { id: string }).id };
});
afterAll(() => world.close());

const callerRoutes = routes.flatMap((route) =>
  route.scope === undefined || route.ignoresQuery
    ? []
    : [{ ...route, title: `${route.method.toUpperCase()} ${route.path}` }],
);

test.each(callerRoutes)('$title rejects an unknown query parameter', async (route) => {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'x');
  const response = await world.request(`${path}?colour=red`, {
    method: route.method.toUpperCase(),
    token,
    ...(hasBody(route) && route.example !== undefined ? { body: route.example } : {}),
  });
  expect(response.body).toEqual({ ...problemShape('unknown_field', 400), errors: { colour: ['is unknown'] } });
});
