import { request } from 'node:http';
import { BiometricsWorld } from '../biometrics/biometrics-world';
import { publicUrl } from '../api-world';

let world: BiometricsWorld;
beforeAll(async () => {
  // An API that listens on all addresses allows every host name, because health checks use the address of the container.
  world = await BiometricsWorld.open({ HOST: '0.0.0.0' });
});
afterAll(() => world.close());

const evil = 'evil.example';
const attacks: Record<string, string>[] = [
  { host: evil },
  { host: `${evil}:443` },
  { host: `verify.example.com@${evil}` },
  { host: `verify.example.com.${evil}` },
  { host: `${evil}?.verify.example.com` },
  { 'x-forwarded-host': evil },
  { host: evil, 'x-forwarded-host': evil, 'x-forwarded-proto': 'http', 'x-forwarded-port': '8080' },
  { forwarded: `host=${evil};proto=http;for=127.0.0.1` },
  { 'x-host': evil, 'x-original-host': evil, 'x-http-host-override': evil, 'x-forwarded-server': evil },
  {
    'x-original-url': `http://${evil}/`,
    'x-rewrite-url': `http://${evil}/`,
    referer: `http://${evil}/`,
    origin: `http://${evil}`,
  },
];

/** Unlike `fetch`, this function can change the header Host. Returns status, headers and body as one text. */
function send(target: string, method: string, headers: Record<string, string>, body?: string): Promise<string> {
  const { hostname, port } = new URL(world.api.address);
  return new Promise((resolve, reject) => {
    const options = {
      hostname,
      port,
      path: target,
      method,
      headers: { 'content-type': 'application/json', ...headers },
    };
    request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve(`${response.statusCode}\n${response.rawHeaders.join('\n')}\n${Buffer.concat(chunks).toString()}`),
      );
    })
      .on('error', reject)
      .end(body);
  });
}

test('1,000 responses to hostile Host and Forwarded headers name only the host of PUBLIC_URL', async () => {
  const authorization = `Bearer ${await world.api.issueToken('local')}`;
  const { path, browser } = await world.submitAll();
  const link = new URL(browser.address).pathname;
  const calls: [string, string, string?][] = [
    ['POST', `${path}/biometrics`, '{}'],
    ['GET', `${path}/biometrics/selfie`],
    ['GET', `${path}/biometrics/document`],
    ['GET', '/openapi.json'],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['GET', '/v1/transaction/nobody'],
    ['GET', link],
    ['GET', '/docs'],
    ['GET', '/confirm/x?next=//evil.invalid'],
    ['GET', `//${evil}/..%2f..`],
  ];
  // `outputs`: all responses. `foreign`: with the attacker's host. `redirects`: to another host. `public`: with PUBLIC_URL.
  const counts = { outputs: 0, foreign: 0, redirects: 0, public: 0 };
  for (let round = 0; round < 10; round += 1)
    for (const attack of attacks)
      for (const [method, target, body] of calls) {
        const output = await send(target, method, { authorization, ...attack }, body);
        // `instance` of a problem repeats the path of the request, which may have the attacker's host.
        const text = output.replace(/"instance":"[^"]*"/, '');
        counts.outputs += 1;
        if (text.includes(evil)) counts.foreign += 1;
        if (/^30[12378]\n[^]*\nLocation\n(?!\/(?!\/))/.test(output)) counts.redirects += 1;
        if (text.includes(publicUrl)) counts.public += 1;
      }
  // In docs/security.md, this attack is S11.
  process.stderr.write(`S11: ${JSON.stringify(counts)}\n`);
  expect(counts).toMatchObject({ outputs: 1_000, foreign: 0, redirects: 0 });
  // Most responses have PUBLIC_URL, so the attacks had something to change.
  expect(counts.public).toBeGreaterThan(500);
});
