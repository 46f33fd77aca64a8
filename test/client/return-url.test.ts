import { Countersign } from '../../client/index';

test('the return URL of an e-mail is sent as a header, together with the idempotency key', async () => {
  const sent: Headers[] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    sent.push(new Headers(init?.headers));
    return new Response('{}', { status: 201, headers: { 'content-type': 'application/json' } });
  };
  const client = new Countersign({ baseUrl: 'http://service', accessToken: () => 'token', fetch });
  const options = { returnUrl: 'https://shop.example/done', idempotencyKey: 'key-1' };
  await client.confirmations.sendEmailToken('id', options);
  await client.confirmations.sendEmailSecondFactor('id', options);
  await client.confirmations.sendEmailToken('id');
  const name = 'x-countersign-return-url';
  expect(sent.map((headers) => headers.get(name))).toEqual([options.returnUrl, options.returnUrl, null]);
  expect(sent.slice(0, 2).map((headers) => headers.get('idempotency-key'))).toEqual(['key-1', 'key-1']);
});
