import { Brands } from '../../api/brand/brands';
import { serviceBrand } from '../../domain/brand/brand';
import { PostgresDayKeys } from '../../store/messages/day-keys';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../api/app';
import { createRateLimits, trustedBy } from '../../api/http/limits/rate-limits';
import { createHttpServer } from '../../api/http/http-server';
import type { ClientAddresses } from '../../api/clients/client-addresses.sql';
import { ClientVersions } from '../../api/clients/client-versions';
import { configureBiometrics } from '../../api/biometrics/settings';
import { configureConfirmations } from '../../api/confirmations/configure-confirmations';
import { usualTerms } from '../../api/confirmations/terms';
import { createAccessTokens, type Scope, scopes } from '../../api/http/auth/access-tokens';
import { problems } from '../../api/http/problems';
import { createOwnProviders } from '../../api/messaging/messaging';
import { TokenBuckets } from '../../platform/token-buckets';
import type { Dependencies } from '../../api/dependencies';
import { NewEvents } from '../../api/events/new-events';
import { readBuiltPages } from '../../api/pages/built-pages';
import { openFlowCompute } from '../../api/flows/compute/flow-compute';
import { createFlowStore } from '../../api/flows/catalog/open-flow-store';
import { flows as builtInFlows } from '../../flows';
import { readApiConfig } from '../../platform/config';
import { openImageStore } from '../../images/s3-store';
import { createReencoder } from '../../images/reencode-image';
import { createSealedImages } from '../../images/sealed-images';
import { createUploads } from '../../images/uploads';
import { readListedProviders, readProviders } from '../../messages/read-messaging';
import { readSendingLimits } from '../../messages/sending-limits';
import { TransactionKeys } from '../../platform/keys/data-keys';
import { createPayloadCodec } from '../../platform/temporal/data-converter';
import { dataOwnerOf } from '../../workflows/contract/ids';
import { createTestKeys } from '../support/test-keys';
import { testSigningKeys } from '../support/test-signing-keys';
import { createLogger } from '../../platform/logger';
import { openPool } from '../../platform/postgres/postgres';
import { FakeTransactions } from './fake-transactions';

export const twilioAuthToken = 'only-for-tests';
export const publicUrl = 'https://verify.example.com';

/** Read only once, because no test changes the pages. */
const builtPages = readBuiltPages();

/** No server listens here, so an unexpected database access fails. */
const noDatabase = 'postgres://nobody:nothing@127.0.0.1:1/none';

export interface ApiResponse {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON, otherwise a text. */
  body: unknown;
}

export interface RequestOptions {
  method?: string;
  body?: unknown;
  /** In place of `body`. */
  rawBody?: string | Uint8Array;
  headers?: Record<string, string>;
  /** By default, a token of the tenant `local` with all scopes. With `null`, the request has no access token. */
  token?: string | null;
}

/** The API over real HTTP, with a fake in place of Temporal. */
export class ApiWorld {
  readonly transactions = new FakeTransactions();
  /** By client id. */
  readonly addressesByClient = new Map<string, ClientAddresses>();
  readonly address: string;
  #token = '';

  private constructor(
    readonly dependencies: Dependencies,
    private readonly server: Server,
    private readonly clientVersions: ClientVersions | undefined,
  ) {
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async open(settings: Record<string, string> = {}, logger = createLogger('test', 'silent')): Promise<ApiWorld> {
    const environment = {
      DATABASE_URL: noDatabase,
      SERVICE_KEY: Buffer.alloc(32, 7).toString('base64'),
      TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
      TWILIO_AUTH_TOKEN: twilioAuthToken,
      PUBLIC_URL: publicUrl,
      // Tests send more requests than the limits allow. 0 switches a limit off.
      RATE_LIMIT_PER_SECOND: '0',
      ADDRESS_RATE_LIMIT_PER_SECOND: '0',
      LOGIN_RATE_LIMIT_PER_MINUTE: '0',
      ...settings,
    };
    const config = readApiConfig(environment);
    const keys = createTestKeys(config.SERVICE_KEY);
    const pool = openPool(config.DATABASE_URL, logger, 4);
    const signingKeys = testSigningKeys;
    const tokens = createAccessTokens({
      signingKeys,
      issuer: config.PUBLIC_URL,
      environment: config.COUNTERSIGN_ENV,
      lifetimeSeconds: 3600,
    });
    const clientVersions = settings['DATABASE_URL'] ? new ClientVersions({ pool, logger }) : undefined;
    await clientVersions?.load();
    const ready = async () => true;
    const confirmations = configureConfirmations(config.FLOW_SETTINGS);
    const transactions = new FakeTransactions();
    const reencoder = createReencoder();
    const dependencies: Dependencies = {
      config,
      keys,
      logger,
      builtPages,
      pool,
      brands: settings['DATABASE_URL']
        ? new Brands(pool, config)
        : {
            of: async () => serviceBrand(config.BRAND, config.DEFAULT_LANGUAGE),
            forget: () => {},
            logo: async () => undefined,
          },
      signingKeys,
      accessTokens: tokens,
      outsideIssuer: undefined,
      clientVersions: clientVersions ?? { isCurrent: () => true },
      clientAddresses: async (clientId) => world.addressesByClient.get(clientId) ?? { returnUrls: [], origins: [] },
      // The clock stands still, so that tests do not depend on the speed of the machine.
      rateLimits: createRateLimits(config, keys, new TokenBuckets(() => 0)),
      isReady: ready,
      confirmationSettings: confirmations,
      flowStore: createFlowStore(pool, builtInFlows),
      // On a busy machine, the first thread starts slowly.
      flowCompute: openFlowCompute(60_000),
      providers: readProviders(config),
      listedProviders: readListedProviders(config),
      ownProvidersOf: createOwnProviders({ config, keys, pool }),
      sendingLimits: readSendingLimits(config),
      biometricsSettings: configureBiometrics(config.BIOMETRICS_SETTINGS),
      images: createSealedImages(pool, keys, openImageStore(config)),
      dayKeys: new PostgresDayKeys(pool, keys.serviceKeys),
      uploads: createUploads(pool, keys),
      reencoder,
      payloadCodec: createPayloadCodec({
        transactionKeys: new TransactionKeys(pool, keys.serviceKeys),
        ownerOf: dataOwnerOf,
        encrypts: true,
      }),
      transactions,
      termsOf: async ({ id }) => usualTerms(keys, id),
      requestReview: async () => undefined,
      answerHeaders: {},
      newEvents: new NewEvents(logger, {
        waitingMax: 400,
        ...(settings['DATABASE_URL'] && { databaseUrl: settings['DATABASE_URL'] }),
      }),
      providerEvents: { runNow: () => {}, takeStatus: async () => {} },
    };
    const server = createHttpServer(createApp(dependencies), {
      connectionsMax: config.CONNECTIONS_MAX,
      isProxy: trustedBy(config.TRUST_PROXY),
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const world = new ApiWorld(dependencies, server, clientVersions);
    dependencies.transactions = world.transactions;
    world.transactions.keys = keys;
    world.#token = await world.issueToken('local');
    return world;
  }

  async close(): Promise<void> {
    this.clientVersions?.stop();
    await this.dependencies.newEvents.stop();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await this.dependencies.flowCompute.close();
    await this.dependencies.pool.end();
  }

  issueToken(tenant: string, grantedScopes: readonly Scope[] = scopes): Promise<string> {
    return this.dependencies.accessTokens.issue({
      clientId: `client-of-${tenant}`,
      tenant,
      scopes: [...grantedScopes],
      clientVersion: 1,
    });
  }

  async request(
    path: string,
    { method, body, rawBody, headers, token = this.#token }: RequestOptions = {},
  ): Promise<ApiResponse> {
    const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${this.address}${path}`, {
      method: method ?? (payload === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text };
  }

  post(path: string, request: RequestOptions = {}): Promise<ApiResponse> {
    return this.request(path, { method: 'POST', ...request });
  }

  async createTransaction(
    body: Record<string, unknown> = person,
    token?: string,
  ): Promise<{ id: string; path: string }> {
    const response = await this.post('/v1/transaction', { body, ...(token && { token }) });
    const { id } = response.body as { id: string };
    return { id, path: `/v1/transaction/${id}` };
  }
}

/** The body of POST /v1/transaction. */
export const person = {
  documentType: 'CPF',
  document: '529.982.247-25',
  name: 'Maria Silva',
  email: 'maria.silva@example.com',
  phone: { countryCode: 55, areaCode: 11, number: 987654321 },
} as const;

const hasDefaultPause = (code: string) =>
  Object.entries(problems).some(([name, row]) => name === code && 'retryAfterSeconds' in row);

/** All fields of a problem, for `toEqual` and `toMatchObject`. */
export function problemShape(code: string, status: number): Record<string, unknown> {
  return {
    type: `${publicUrl}/docs/problems#${code}`,
    title: expect.stringMatching(/\w/),
    status,
    detail: expect.stringMatching(/\w/),
    instance: expect.stringMatching(/^\//),
    code,
    traceId: expect.stringMatching(/^[\w.:-]{8,128}$/),
    ...(hasDefaultPause(code) ? { retryAfterSeconds: expect.any(Number) } : {}),
  };
}
