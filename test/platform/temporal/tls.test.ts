import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { msToTs } from '@temporalio/common/lib/time';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createConnector, openTemporal } from '../../../platform/temporal/connection';
import { cliOptions, type NamespaceOfServer } from '../../../platform/temporal/failures';
import { ensureSearchAttributes } from '../../../platform/temporal/search-attributes';
import type { TlsSettings } from '../../../platform/temporal/tls';
import { searchAttributes } from '../../../workflows/contract/start';
import { openDevServer } from '../../support/servers/open-environment';
import { testDataConverter } from '../../support/test-data-converter';
import { createCa, createCertificate } from './certificates';
import { type Gateway, startKeyGateway, startTlsGateway } from './gateways';

const host = 'temporal.test';
const apiKey = 'right-key';
const keys = Object.values(searchAttributes);

let env: TestWorkflowEnvironment;
let folder: string;
const gateways: Gateway[] = [];
let good: Required<Pick<TlsSettings, 'TEMPORAL_TLS_CA' | 'TEMPORAL_TLS_CERT' | 'TEMPORAL_TLS_KEY'>> & TlsSettings;
let mutual: string;
let expired: string;
let cloud: string;

beforeAll(async () => {
  env = await openDevServer('temporal');
  folder = mkdtempSync(join(tmpdir(), 'countersign-tls-'));
  const ca = createCa(folder, 'ca');
  createCa(folder, 'other-ca');
  const server = createCertificate(folder, 'ca', host);
  const client = createCertificate(folder, 'ca', 'client');
  createCertificate(folder, 'other-ca', 'stranger');
  createCertificate(folder, 'ca', 'expired', -1);
  const pair = { cert: readFileSync(server.cert), key: readFileSync(server.key), ca: readFileSync(ca) };
  const start = async (gateway: Promise<Gateway>) => {
    gateways.push(await gateway);
    return (await gateway).address;
  };
  mutual = await start(startTlsGateway(env.address, { ...pair, requestCert: true }));
  const old = { cert: readFileSync(join(folder, 'expired.pem')), key: readFileSync(join(folder, 'expired.key')) };
  expired = await start(startTlsGateway(env.address, old));
  cloud = await start(startKeyGateway(env.address, pair, apiKey));
  good = {
    TEMPORAL_TLS_CA: ca,
    TEMPORAL_TLS_CERT: client.cert,
    TEMPORAL_TLS_KEY: client.key,
    TEMPORAL_TLS_SERVER_NAME: host,
  };
});
afterAll(async () => {
  for (const gateway of gateways) gateway.stop();
  rmSync(folder, { recursive: true });
  await env.teardown();
});

const serverAt = (address: string, settings: TlsSettings, namespace = 'default'): NamespaceOfServer => ({
  TEMPORAL_ADDRESS: address,
  TEMPORAL_NAMESPACE: namespace,
  ...settings,
});

async function failureOf(server: NamespaceOfServer): Promise<string> {
  const error: unknown = await createConnector(server)().then(
    () => 'connected',
    (caught: unknown) => caught,
  );
  return String(error).replaceAll(server.TEMPORAL_ADDRESS, '<address>').replaceAll(folder, '<folder>');
}

const fileNamed = (name: string) => join(folder, name);

test('API and worker connect with a private CA, a client certificate and another server name', async () => {
  const server = serverAt(mutual, good);
  const connection = await createConnector(server)();
  const describe = { namespace: 'default' };
  await expect(connection.workflowService.describeNamespace(describe)).resolves.toBeDefined();
  const { connection: clientConnection } = openTemporal(server, testDataConverter);
  await expect(clientConnection.workflowService.describeNamespace(describe)).resolves.toBeDefined();
  await clientConnection.close();
  await connection.close();
});

test('an error says which certificate is wrong, and which setting corrects it', async () => {
  const { TEMPORAL_TLS_CA, TEMPORAL_TLS_SERVER_NAME, ...pair } = good;
  const noPair = { TEMPORAL_TLS_CA, TEMPORAL_TLS_SERVER_NAME };
  const pairOf = (name: string): TlsSettings => ({
    ...noPair,
    TEMPORAL_TLS_CERT: fileNamed(`${name}.pem`),
    TEMPORAL_TLS_KEY: fileNamed(`${name}.key`),
  });
  const setup = (text: string) => expect.stringMatching(`^TemporalSetupError: ${text}`);
  expect({
    unknownCa: await failureOf(serverAt(mutual, { ...pair, TEMPORAL_TLS_SERVER_NAME })),
    wrongCa: await failureOf(serverAt(mutual, { ...good, TEMPORAL_TLS_CA: fileNamed('other-ca.pem') })),
    wrongName: await failureOf(serverAt(mutual, { ...pair, TEMPORAL_TLS_CA })),
    expiredServer: await failureOf(serverAt(expired, { TEMPORAL_TLS_CA, TEMPORAL_TLS_SERVER_NAME: 'expired' })),
    noCertificate: await failureOf(serverAt(mutual, noPair)),
    otherCertificate: await failureOf(serverAt(mutual, pairOf('stranger'))),
    expiredCertificate: await failureOf(serverAt(mutual, pairOf('expired'))),
    noTls: await failureOf(serverAt(mutual, {})),
    plainServer: await failureOf(serverAt(env.address, good)),
  }).toEqual({
    unknownCa: setup('.* a certificate of an unknown CA. Set TEMPORAL_TLS_CA'),
    wrongCa: setup('.* a certificate that the CA in TEMPORAL_TLS_CA did not sign'),
    wrongName: setup(`.* not for this host. It is for ${host}: set TEMPORAL_TLS_SERVER_NAME`),
    expiredServer: setup('.* a certificate that has expired. Renew it at the server'),
    noCertificate: setup('.* If it requires a client certificate, set TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY'),
    otherCertificate: setup('.* If it refuses the client certificate in TEMPORAL_TLS_CERT'),
    expiredCertificate: setup('TEMPORAL_TLS_CERT: the client certificate expired on'),
    noTls: setup('.* closes the connection. If it requires TLS, set TEMPORAL_TLS=true'),
    plainServer: setup('.* does not speak TLS'),
  });
});

test('a wrong file stops the process, and the error names the setting and the file', async () => {
  writeFileSync(fileNamed('text.pem'), 'no certificate');
  const failure = (settings: TlsSettings) => failureOf(serverAt(mutual, { ...good, ...settings }));
  expect([
    await failure({ TEMPORAL_TLS_CA: fileNamed('missing.pem') }),
    await failure({ TEMPORAL_TLS_CERT: fileNamed('text.pem') }),
    await failure({ TEMPORAL_TLS_KEY: fileNamed('text.pem') }),
    await failure({ TEMPORAL_TLS_KEY: fileNamed('stranger.key') }),
    await failure({ TEMPORAL_TLS_KEY: undefined }),
  ]).toEqual([
    'ConfigurationError: TEMPORAL_TLS_CA: cannot read <folder>/missing.pem (ENOENT).',
    'ConfigurationError: TEMPORAL_TLS_CERT: <folder>/text.pem is not a certificate in PEM format.',
    'ConfigurationError: TEMPORAL_TLS_KEY: <folder>/text.pem is not an unencrypted private key in PEM format.',
    'ConfigurationError: TEMPORAL_TLS_KEY is not the key of the certificate in TEMPORAL_TLS_CERT.',
    'ConfigurationError: TEMPORAL_TLS_KEY is required with TEMPORAL_TLS_CERT.',
  ]);
});

describe('a server with API keys and without the operator service, such as Temporal Cloud,', () => {
  const settings = (): TlsSettings => ({ TEMPORAL_TLS_CA: good.TEMPORAL_TLS_CA, TEMPORAL_TLS_SERVER_NAME: host });

  test('refuses an unknown API key: the error names the setting', async () => {
    expect(await failureOf(serverAt(cloud, { ...settings(), TEMPORAL_API_KEY: 'old-key' }))).toMatch(
      /^TemporalSetupError: Temporal at <address> refuses TEMPORAL_API_KEY for the namespace default. The key is unknown, expired/,
    );
  });

  test('works once its search attributes exist, and until then the error says how to create them', async () => {
    const namespace = `cloud-${randomUUID()}`;
    await env.connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs('3 days'),
    });
    const server = serverAt(cloud, { ...settings(), TEMPORAL_API_KEY: apiKey }, namespace);
    const connection = await createConnector(server)();
    await expect(ensureSearchAttributes(connection, server, keys)).rejects.toThrow(
      new RegExp(
        `does not allow[\\s\\S]*--api-key "\\$TEMPORAL_API_KEY"[\\s\\S]*tcld namespace search-attributes add --namespace ${namespace} .*CountersignTenant=Keyword`,
      ),
    );
    await ensureSearchAttributes(connection, { ...server, TEMPORAL_NAMESPACE: 'default' }, keys);
    await connection.close();
  });
});

test('the options of the Temporal CLI have the TLS settings, but not the API key', () => {
  expect(cliOptions(serverAt('a:1', { ...good, TEMPORAL_API_KEY: 'secret' })).replaceAll(folder, '')).toBe(
    '--address a:1 --namespace default --api-key "$TEMPORAL_API_KEY" --tls-ca-path /ca.pem --tls-cert-path /client.pem --tls-key-path /client.key --tls-server-name temporal.test',
  );
  expect(cliOptions(serverAt('a:1', { TEMPORAL_TLS: true }))).toBe('--address a:1 --namespace default --tls');
});
