import type { AddressInfo } from 'node:net';
import { createHttpServer } from '../../../api/http/http-server';

test('the Keep-Alive header keeps an idle connection open for more than the 60 s of load balancers', async () => {
  const server = createHttpServer((_request, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const [, seconds] = /timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '') ?? [];
  expect(Number(seconds)).toBeGreaterThan(60);
});
