import { IssuerKeys } from '../../../api/http/auth/issuer-keys';
import { createLogger } from '../../../platform/logger';
import { LocalIssuer } from '../../support/local-issuer';

const logger = createLogger('test', 'silent');
const discoveryPath = '/.well-known/openid-configuration';

let issuer: LocalIssuer;
let keys: IssuerKeys;
beforeEach(async () => {
  issuer = await LocalIssuer.start();
  await issuer.addKey('first');
});
afterEach(async () => {
  keys.stop();
  jest.restoreAllMocks();
  await issuer.stop();
});

const find = (kid = 'first') => keys.find({ alg: 'ES256', kid }, { payload: '', signature: '' });
const unavailable = { code: 'service_unavailable' };

test.each([discoveryPath, '/keys'])('a redirect of %s is not followed', async (path) => {
  issuer.redirectedPaths = [path];
  keys = new IssuerKeys(issuer.issuer, logger);
  await expect(find()).rejects.toMatchObject(unavailable);
  expect(issuer.requests).toContain(path);
  expect(issuer.requests).not.toContain(`/elsewhere${path}`);
});

const addressOf = (request: Parameters<typeof fetch>[0]) => new Request(request).url;

/** Answers all requests of this process as an issuer. `change`: other values for its discovery document. */
function answerAsIssuer(address: string, change: Record<string, string>) {
  return jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async (request) =>
      Response.json(
        addressOf(request).endsWith(discoveryPath)
          ? { issuer: address, jwks_uri: `${address}/keys`, ...change }
          : { keys: issuer.keys.map(({ publicJwk }) => publicJwk) },
      ),
    );
}

test('if the URL of an issuer has https, the URL of its keys must have https too', async () => {
  const address = 'https://issuer.example.com';
  const requests = answerAsIssuer(address, { jwks_uri: 'http://issuer.example.com/keys' });
  keys = new IssuerKeys(address, logger);
  await expect(find()).rejects.toMatchObject(unavailable);
  expect(requests.mock.calls.map(([request]) => addressOf(request))).toEqual([`${address}${discoveryPath}`]);
});

test.each(['https://other.example.com', 'https://issuer.example.com/'])(
  'a discovery document that names the issuer %s is rejected',
  async (otherIssuer) => {
    const address = 'https://issuer.example.com';
    const requests = answerAsIssuer(address, { issuer: otherIssuer });
    keys = new IssuerKeys(address, logger);
    await expect(find()).rejects.toMatchObject(unavailable);
    expect(requests.mock.calls).toHaveLength(1);
  },
);

test('the keys of an issuer are accepted if the URLs of the issuer and of the keys have https', async () => {
  answerAsIssuer('https://issuer.example.com', {});
  keys = new IssuerKeys('https://issuer.example.com', logger);
  expect(await find()).toBeDefined();
});

test('a refresh finds the new address of the keys, and a refresh during an outage keeps the known keys', async () => {
  keys = new IssuerKeys(issuer.issuer, logger, 0);
  await find();
  issuer.keysPath = '/new-keys';
  await issuer.addKey('second');
  issuer.mode = 'fails';
  await keys.refresh();
  expect(await find()).toBeDefined();
  issuer.mode = 'works';
  await keys.refresh();
  expect(issuer.requests.at(-1)).toBe('/new-keys');
  expect(await find('second')).toBeDefined();
  issuer.redirectedPaths = ['/new-keys'];
  await keys.refresh();
  expect(await find('second')).toBeDefined();
});
