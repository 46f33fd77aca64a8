import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { ApiWorld } from '../api-world';

/** An API that listens only on this machine. */
const localWorld = () => ApiWorld.open();
/** An API that listens on all addresses, as in a container. */
const publicWorld = () => ApiWorld.open({ HOST: '0.0.0.0' });

/** Sends a request with these lines as headers. Returns the status, and the code of the problem, if any. */
async function send(world: ApiWorld, hostLines: readonly string[], version = '1.1'): Promise<string> {
  const socket = connect(Number(new URL(world.address).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write([`GET /health/live HTTP/${version}`, ...hostLines, 'Connection: close', '', ''].join('\r\n'));
  const answer = await text(socket);
  return `${/ (\d{3}) /.exec(answer)?.[1] ?? ''} ${/"code":"(\w+)"/.exec(answer)?.[1] ?? ''}`.trim();
}

test.each([
  ['the name of a foreign web page (DNS rebinding)', ['Host: evil.example:3000'], '421 host_not_allowed'],
  ['a name that begins like a local name', ['Host: localhost.evil.example'], '421 host_not_allowed'],
  ['no Host header', [], '400 host_invalid'],
  ['two Host headers', ['Host: localhost', 'Host: evil.example'], '400 host_invalid'],
  ['an invalid Host header', ['Host: localhost/evil'], '400 host_invalid'],
  ['localhost', ['Host: LOCALHOST:3000'], '200'],
  ['127.0.0.1', ['Host: 127.0.0.1'], '200'],
  ['an IPv6 address', ['Host: [::1]:3000'], '200'],
  ['the host of PUBLIC_URL', ['Host: verify.example.com'], '200'],
])('on a local address, a request with %s (%j) returns %s', async (_, hostLines, expected) => {
  const world = await localWorld();
  expect(await send(world, hostLines)).toBe(expected);
  await world.close();
});

test('on a public address, one Host header with any valid name is allowed, because health checks use the container address', async () => {
  const world = await publicWorld();
  expect(await send(world, ['Host: 10.0.0.7:3000'])).toBe('200');
  expect(await send(world, [], '1.0')).toBe('200');
  expect(await send(world, [])).toBe('400 host_invalid');
  expect(await send(world, ['Host: a', 'Host: a'])).toBe('400 host_invalid');
  await world.close();
});

test('caches may not store answers of the API, except documents and files of pages', async () => {
  const world = await localWorld();
  const { path } = await world.createTransaction();
  const cacheControlOf = async (target: string) => (await world.request(target)).headers.get('cache-control');
  for (const target of [path, `${path}/all`, `${path}/sms/2fa`, '/nowhere', '/confirm/x', '/health/ready'])
    expect(await cacheControlOf(target)).toBe('no-store');
  for (const target of ['/docs', '/openapi.json', '/.well-known/jwks.json', world.dependencies.builtPages.logo])
    expect(await cacheControlOf(target)).toMatch(/^public, max-age=/);
  await world.close();
});
