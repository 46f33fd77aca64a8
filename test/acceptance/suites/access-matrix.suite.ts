import { scopes } from '../../../api/http/auth/access-tokens';
import type { ApiRoute } from '../../../api/http/route';
import { routes } from '../../../api/routes';
import { formatTable } from '../../../bench/report/table';
import { waitUntil } from '../../support/wait-until';
import { ApiClient } from '../support/api-client';
import type { ApiResponse } from '../support/api-response';
import { expectProblem } from '../support/expect-problem';
import { newPerson } from '../support/new-person';
import { fetchContract } from '../support/openapi-contract';
import { openStackTokens, type StackTokens } from '../support/stack-tokens';
import { createTenantResources, type ResourceIds } from '../support/tenant-resources';
import { createTenantSnapshot } from '../support/tenant-snapshot';
import type { GetTestStack } from '../support/test-stack';

/** The tenant of all resources that the requests name. */
const owner = 'matrix';
const guardedRoutes = routes.filter((route): route is ApiRoute => route.scope !== undefined);
const nameOf = ({ method, path }: Pick<ApiRoute, 'method' | 'path'>) => `${method.toUpperCase()} ${path}`;
const rows = guardedRoutes.map((route) => [nameOf(route), route] as const);
const isDeletion = ([, { method }]: (typeof rows)[number]) => Number(method === 'delete');
const deletionsLast = rows.toSorted((left, right) => isDeletion(left) - isDeletion(right));
const parametersOf = ({ path }: ApiRoute) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));

/**
 * Ids that do not exist, as long as ids that exist, so that the answers have the same length. `version` is missing, because it is no id:
 * the flows of all tenants have the versions 1, 2 and so on.
 */
const unknownIds: Omit<ResourceIds, 'version'> = {
  id: '0190a6f0-0000-7000-8000-000000000000',
  runId: '0190a6f0-0000-7000-8000-000000000001',
  name: 'nobody-flow',
  reviewId: '0190a6f0-0000-4000-8000-000000000002',
  blockId: '0190a6f0-0000-4000-8000-000000000003',
  entryId: '0190a6f0-0000-4000-8000-000000000006',
  webhookId: '0190a6f0-0000-4000-8000-000000000004',
  deliveryId: '0190a6f0-0000-4000-8000-000000000005',
};

const notFoundCodes = [
  'transaction_not_found',
  'run_not_found',
  'flow_not_found',
  'flow_version_not_found',
  'review_not_found',
  'block_not_found',
  'list_entry_not_found',
  'webhook_not_found',
  'delivery_not_found',
];

/** Sends each kind of wrong access token to every endpoint in the route table of the API. */
export function describeAccessMatrix(getTestStack: GetTestStack): void {
  describe('the access matrix', () => {
    /** The table that the suite prints: the status by endpoint and kind of access token. */
    const cells = new Map<string, Record<string, string>>();
    let tokens: StackTokens;
    let refusedTokens: Awaited<ReturnType<StackTokens['refused']>>;
    let owned: ResourceIds;
    let api: ApiClient;
    let readRows: Awaited<ReturnType<typeof createTenantSnapshot>>;

    beforeAll(async () => {
      const { stack } = getTestStack();
      tokens = await openStackTokens(stack);
      refusedTokens = await tokens.refused(owner);
      const contract = await fetchContract(stack.addresses.api);
      api = new ApiClient(stack.addresses.api, contract, await tokens.issue(owner));
      owned = await createTenantResources(api, {
        tenant: owner,
        pool: tokens.pool,
        name: 'matrix-flow',
        prefix: '+551199999',
      });
      readRows = await createTenantSnapshot(tokens.pool, owner);
      // The rows of the tenant change until the message of the flow run is delivered.
      let [before, unchanged] = [JSON.stringify(await readRows()), 0];
      await waitUntil(async () => {
        const after = JSON.stringify(await readRows());
        unchanged = after === before ? unchanged + 1 : 0;
        before = after;
        return unchanged > 20;
      });
    });
    afterAll(async () => {
      await tokens?.pool.end();
      const columns = [...new Set([...cells.values()].flatMap((row) => Object.keys(row)))];
      const table = [...cells].map(([name, row]) => [name, ...columns.map((column) => row[column] ?? '-')]);
      process.stderr.write(`\nAccess matrix\n${formatTable(['endpoint', ...columns], table)}\n`);
    });

    const addCell = (route: ApiRoute, column: string, text: string) =>
      cells.set(nameOf(route), { ...cells.get(nameOf(route)), [column]: text });

    function send(route: ApiRoute, token: string | null, ids: ResourceIds): Promise<ApiResponse> {
      const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
        if (!Object.hasOwn(ids, name)) throw new Error(`Add {${name}} to createTenantResources.`);
        return ids[name as keyof ResourceIds];
      });
      const body = route.body ? { body: route.example } : {};
      return api.request(route.method.toUpperCase(), path, { token, ...body });
    }

    /** Fails if the requests change a row of the tenant `owner`. */
    async function expectNoChange<Result>(requests: () => Promise<Result>): Promise<Result> {
      const before = await readRows();
      const result = await requests();
      expect(await readRows()).toEqual(before);
      return result;
    }

    it.each(rows)('%s without a valid token returns 401 and changes nothing', async (_, route) => {
      for (const [column, token] of [['no token', null] as const, ...Object.entries(refusedTokens)]) {
        const response = await expectNoChange(() => send(route, token, owned));
        expectProblem(response, 401, 'unauthorized');
        expect(response.headers.get('www-authenticate')).toMatch(
          token === null ? /^Bearer$/ : /^Bearer error="invalid_token", error_description="[\w ]+"$/,
        );
        addCell(route, column, String(response.status));
      }
    });

    it.each(rows)(
      '%s returns 403 and changes nothing if the token has every scope except the scope of this endpoint',
      async (_, route) => {
        const token = await tokens.issue(
          owner,
          scopes.filter((scope) => scope !== route.scope),
        );
        const response = await expectNoChange(() => send(route, token, owned));
        expectProblem(response, 403, 'insufficient_scope');
        expect(response.headers.get('www-authenticate')).toBe(
          `Bearer error="insufficient_scope", scope="${route.scope}"`,
        );
        addCell(route, 'missing scope', String(response.status));
      },
    );

    it.each(rows)(
      '%s gives the same answer for ids of another tenant as for unknown ids, and changes nothing',
      async (name, route) => {
        const parameters = parametersOf(route).filter((parameter) => parameter !== 'version');
        // Each endpoint has its own tenant, because requests to other endpoints may have created resources.
        const tenant = `foreign-${guardedRoutes.indexOf(route)}`;
        const token = await tokens.issue(tenant);
        const ownPath = await new ApiClient(api.address, await fetchContract(api.address), token).createTransaction(
          newPerson().body,
        );
        const ownWithForeignIds = { ...owned, id: ownPath.split('/').at(-1) ?? '' };
        const statuses = new Set<number>();
        if (parameters.length === 0) {
          const response = await expectNoChange(() => send(route, token, owned));
          for (const parameter of Object.keys(unknownIds)) {
            const ownerValue = owned[parameter as keyof ResourceIds];
            expect([name, response.text.includes(ownerValue)]).toEqual([name, false]);
          }
          statuses.add(response.status);
        }
        for (const [index, parameter] of parameters.entries()) {
          // In the first round, all ids are foreign. In later rounds, the transaction belongs to the caller, and only the other ids are
          // foreign, such as the id of a flow run.
          const foreignIds = index === 0 ? owned : ownWithForeignIds;
          const [foreign, unknown] = await expectNoChange(async () => [
            await send(route, token, foreignIds),
            await send(route, token, {
              ...foreignIds,
              ...unknownIds,
              ...(index === 0 ? {} : { id: ownWithForeignIds.id }),
            }),
          ]);
          expect(comparable(foreign, owned)).toEqual(comparable(unknown, { ...owned, ...unknownIds }));
          const { code } = foreign.body as { code?: string };
          const isRefused = foreign.status === 404 && notFoundCodes.includes(String(code));
          // Two operations return no 404: putFlow creates the caller's own flow with this name, and checkFlow reads only the body.
          expect([
            name,
            parameter,
            isRefused || ['putFlow', 'checkFlow'].includes(route.operationId ?? ''),
            foreign.text,
          ]).toEqual([name, parameter, true, foreign.text]);
          statuses.add(foreign.status);
        }
        addCell(route, 'other tenant', `${[...statuses].join(' ')}${parameters.length === 0 ? ' own' : ''}`);
      },
    );

    // These tests prove that the requests above were refused only because of their token. They run last, because they change the resources.
    it.each(deletionsLast)('%s with the right token is not refused', async (name, route) => {
      const { status, text, body } = await send(route, await tokens.issue(owner, [route.scope]), owned);
      const { code } = (body ?? {}) as { code?: string };
      const isRefused =
        [400, 401, 403, 405, 415].includes(status) || status >= 500 || notFoundCodes.includes(String(code));
      expect([name, isRefused, text]).toEqual([name, false, text]);
      addCell(route, 'right token', String(status));
    });
  });
}

/** The response without the requested ids, and without values that differ in each response. */
function comparable({ status, headers, text }: ApiResponse, ids: ResourceIds): unknown {
  const ignored = ['date', 'x-request-id', 'keep-alive', 'connection', 'ratelimit', 'etag'];
  const withoutIds = (value: string) =>
    Object.keys(unknownIds).reduce((rest, name) => rest.replaceAll(ids[name as keyof ResourceIds], `{${name}}`), value);
  return {
    status,
    headers: [...headers].filter(([name]) => !ignored.includes(name)).map(([name, value]) => [name, withoutIds(value)]),
    body: withoutIds(text).replace(/"(traceId|createdAt|digest)":"[^"]*"/g, '"$1":""'),
  };
}
