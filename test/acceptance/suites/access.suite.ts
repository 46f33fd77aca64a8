import { scopes } from '../../../api/http/auth/scopes';
import type { GetTestStack } from '../support/test-stack';
import type { ApiResponse } from '../support/api-response';
import type { RequestOptions } from '../support/api-client';
import { type Endpoint, isTransactionEndpoint, endpointRows } from '../support/endpoints';
import { expectProblem } from '../support/expect-problem';
import { newPerson } from '../support/new-person';
import { reverseText } from '../support/reverse-text';

const unknownId = '0190a6f0-0000-7000-8000-000000000000';

/** The parts of a response that a caller can compare, without what differs in each request. */
function comparableParts({ status, headers, body }: ApiResponse) {
  const ignoredHeaders = ['date', 'x-request-id', 'keep-alive', 'connection'];
  const relevantHeaders = [...headers].filter(([name]) => !ignoredHeaders.includes(name));
  return { status, headers: relevantHeaders, body: { ...(body as object), traceId: '', instance: '' } };
}

/** Which callers may use which endpoints, and what the others see: 401, 403, 404, 405. */
export function describeAccess(getTestStack: GetTestStack): void {
  describe('access', () => {
    let path = '';
    const request = (
      { method, path: template, body }: Endpoint,
      options: RequestOptions = {},
      transactionPath = path,
    ) =>
      getTestStack().api.request(method, template.replace(/^.*\{id\}/, transactionPath), {
        ...(body && { body }),
        ...options,
      });

    beforeAll(async () => {
      path = await getTestStack().api.createTransaction(newPerson().body);
    });

    it.each(endpointRows())('%s without a valid token returns 401', async (_, endpoint) => {
      const withoutToken = await request(endpoint, { token: null });
      expectProblem(withoutToken, 401, 'unauthorized');
      expect(withoutToken.headers.get('www-authenticate')).toBe('Bearer');
      const token = await getTestStack().stack.token();
      const [header, payload, signature] = token.split('.');
      const forgedToken = `${header}.${payload}.${reverseText(signature ?? '')}`;
      const unsignedToken = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${payload}.`;
      for (const wrongToken of ['nonsense', forgedToken, unsignedToken]) {
        const response = await request(endpoint, { token: wrongToken });
        expectProblem(response, 401, 'unauthorized');
        expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      }
      const basicResponse = await request(endpoint, { token: null, headers: { authorization: `Basic ${token}` } });
      expectProblem(basicResponse, 401, 'unauthorized');
    });

    it.each(endpointRows())('%s with every scope except its own returns 403', async (_, endpoint) => {
      const token = await getTestStack().stack.token(
        'local',
        scopes.filter((scope) => scope !== endpoint.scope),
      );
      const response = await request(endpoint, { token });
      expectProblem(response, 403, 'insufficient_scope');
      expect(response.headers.get('www-authenticate')).toBe(
        `Bearer error="insufficient_scope", scope="${endpoint.scope}"`,
      );
    });

    it.each(endpointRows(isTransactionEndpoint))(
      '%s of an unknown or foreign transaction returns the same 404',
      async (_, endpoint) => {
        const unknownResponse = await request(endpoint, {}, `/v1/transaction/${unknownId}`);
        const foreignResponse = await request(endpoint, { token: await getTestStack().stack.token('other') });
        const invalidIdResponse = await request(endpoint, {}, '/v1/transaction/of-nobody');
        expectProblem(unknownResponse, 404, 'transaction_not_found');
        expect(comparableParts(foreignResponse)).toEqual(comparableParts(unknownResponse));
        expect(comparableParts(invalidIdResponse).body).toEqual(comparableParts(unknownResponse).body);
      },
    );

    it('a tenant cannot change a transaction of another tenant, and both can use the same Idempotency-Key', async () => {
      const { api, stack } = getTestStack();
      const token = await stack.token('other');
      const before = await api.get(`${path}/all`);
      expect((await api.post(`${path}/sms/tokens`, { token })).status).toBe(404);
      expect((await api.get(`${path}/all`)).text).toBe(before.text);
      const key = `shared-${path}`;
      const person = newPerson().body;
      const [ownResponse, otherTenantResponse] = [
        await api.post('/v1/transaction', { body: person, key }),
        await api.post('/v1/transaction', { body: person, key, token }),
      ];
      expect([ownResponse.status, otherTenantResponse.status]).toEqual([201, 201]);
      expect((ownResponse.body as { id: string }).id).not.toBe((otherTenantResponse.body as { id: string }).id);
    });

    it('returns 404 for an unknown path and 405 for another method of a known path', async () => {
      const { api } = getTestStack();
      expectProblem(await api.get('/v1/nothing'), 404, 'not_found');
      expectProblem(await api.get(`${path}/`), 404, 'not_found');
      for (const [method, suffix, allowedMethods] of [
        ['PUT', '', 'DELETE, GET, HEAD'],
        ['PUT', '/sms/tokens', 'POST'],
        ['GET', '/sms/tokens/validate', 'POST'],
        ['PATCH', '/emails/tokens', 'GET, HEAD, POST'],
      ] as const) {
        const response = await api.request(method, `${path}${suffix}`);
        expectProblem(response, 405, 'method_not_allowed');
        expect((response.headers.get('allow') ?? '').split(', ').toSorted().join(', ')).toBe(allowedMethods);
      }
    });

    it('the token endpoint returns OAuth errors for wrong credentials and wrong requests', async () => {
      const { api } = getTestStack();
      const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' };
      const basicHeaders = { ...formHeaders, authorization: `Basic ${Buffer.from('local:wrong').toString('base64')}` };
      const requestToken = (raw: string, headers: Record<string, string>) =>
        api.post('/oauth2/token', { rawBody: raw, headers, token: null });
      const grantBody = 'grant_type=client_credentials';
      const wrongSecretResponse = await requestToken(grantBody, basicHeaders);
      expect(wrongSecretResponse).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      expect(wrongSecretResponse.headers.get('www-authenticate')).toMatch(/^Basic/);
      expect(await requestToken(`${grantBody}&client_id=nobody&client_secret=x`, formHeaders)).toMatchObject({
        status: 401,
      });
      expect(await requestToken('grant_type=password', basicHeaders)).toMatchObject({
        body: { error: 'unsupported_grant_type' },
      });
      expect(await requestToken('', basicHeaders)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
      expectProblem(
        await api.post('/v1/authentication', { body: { Username: 'local', Password: 'wrong' }, token: null }),
        401,
        'unauthorized',
      );
    });
  });
}
