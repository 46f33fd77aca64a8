import type { GetTestStack } from '../support/test-stack';
import { expectProblem } from '../support/expect-problem';
import { newPerson } from '../support/new-person';

/**
 * Tests transactions of other tenants, unknown paths, wrong methods and wrong credentials. The access matrix tests access tokens at all
 * endpoints.
 */
export function describeAccess(getTestStack: GetTestStack): void {
  describe('access', () => {
    let path = '';

    beforeAll(async () => {
      path = await getTestStack().api.createTransaction(newPerson().body);
    });

    it('a tenant cannot change a transaction of another tenant, and both tenants can use the same Idempotency-Key', async () => {
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

    it('an unknown path returns 404, and a known path returns 405 for a method that it does not have', async () => {
      const { api } = getTestStack();
      expectProblem(await api.get('/v1/nothing'), 404, 'not_found');
      expectProblem(await api.get(`${path}/`), 404, 'not_found');
      expectProblem(await api.get('/v1/transaction/of-nobody'), 404, 'transaction_not_found');
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
        'credentials_invalid',
      );
    });
  });
}
