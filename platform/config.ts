import { z } from 'zod';
import { readJsonSetting } from './json-setting';
import {
  checkProductionSettings,
  flag,
  hasNoCredentials,
  httpAddress,
  list,
  origin,
  port,
  trustedProxies,
  visibleAscii,
} from './settings';
import {
  databaseSettings,
  deploymentSettings,
  environmentSettings,
  imageSettings,
  keySettings,
  lookupTimeoutMaxMs,
  messagingSettings,
  providerSettings,
  scoringSettings,
  sharedSettings,
  temporalSettings,
  withBucketKeys,
  withProviders,
} from './shared-settings';

const apiSchema = z.object({
  ...sharedSettings,
  ...providerSettings,
  ...imageSettings,
  ...scoringSettings,
  PORT: port(3000),
  /** Address to listen on: loopback locally, 0.0.0.0 in a container. */
  HOST: z.string().default('127.0.0.1'),
  /**
   * How many seconds a stopping API still accepts connections. It is not ready during this time, so that balancers send their requests to
   * others. Default: 5, which is enough for Kubernetes, and for two failed health checks every 2 s. In a local stack 0, because it has no
   * balancer.
   */
  STOP_DELAY_SECONDS: z.coerce.number().int().min(0).max(300).optional(),
  /** Lifetime of an access token, in seconds. */
  ACCESS_TOKEN_SECONDS: z.coerce.number().int().min(60).max(86_400).default(7_200),
  /** Another issuer whose access tokens are accepted too: the address of its discovery document, without /.well-known/…. Unset: none. */
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .refine((url) => hasNoCredentials(url) && !/[?#]/.test(url), 'must have no user, password, query and fragment')
    .optional(),
  /** The `aud` of the access tokens of OIDC_ISSUER. Use a different value in each environment. */
  OIDC_AUDIENCE: z.string().min(1).optional(),
  /** The claim that has the tenant, in the access tokens of OIDC_ISSUER. */
  OIDC_TENANT_CLAIM: z.string().min(1).default('tenant'),
  /** The claim that has the scopes, in the access tokens of OIDC_ISSUER: a text with spaces, or a list. */
  OIDC_SCOPE_CLAIM: z.string().min(1).default('scope'),
  /**
   * Limit of requests per second of one client; 0 switches the limit off. A transaction needs about ten requests within minutes, so ten
   * requests per second are enough for many persons at the same time. A caller in an endless loop reaches the limit before it affects other
   * callers.
   */
  RATE_LIMIT_PER_SECOND: z.coerce.number().int().min(0).default(10),
  /**
   * Limit of requests per second of one IP address, for requests without a valid access token, such as those of hosted pages. For a short
   * time, 10 times as many are allowed. 0 switches the limit off. A request takes about 2 ms, so 50 per second use a tenth of a core.
   */
  ADDRESS_RATE_LIMIT_PER_SECOND: z.coerce.number().int().min(0).default(50),
  /**
   * Limit of requests for access tokens per minute, for each IP address and for each client; 0 switches the limit off. A caller needs few
   * of these requests, because a token is valid for hours.
   */
  LOGIN_RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(0).default(60),
  /**
   * How many connections of callers, persons and proxies have a request at the same time, at most, in one API process. An idle connection
   * takes about 20 KB of memory, and one with a waiting request about 60 KB.
   */
  CONNECTIONS_MAX: z.coerce.number().int().min(100).default(8_000),
  /** The proxies whose X-Forwarded-For header the API trusts: their number, or a list of addresses. Unset: none. */
  TRUST_PROXY: trustedProxies(),
  /** The dial codes of the countries to which messages may be sent. */
  ALLOWED_COUNTRIES: list('55'),
  /** Language of messages if the transaction names no language. */
  DEFAULT_LANGUAGE: z.enum(['pt-BR', 'en', 'es']).default('pt-BR'),
  /** Address of the Temporal UI. Its pages may call the codec server. Unset: no page may call the codec server. */
  TEMPORAL_UI_URL: origin().optional(),
  /** Address of the program that simulates flows for the page /flows of a local stack. Unset: the page cannot simulate. */
  FLOW_SIMULATOR_URL: z.url({ protocol: /^http$/ }).optional(),
  /** Whether the Temporal UI of a local stack gets clear text without sign-in. Elsewhere, operators always sign in. */
  TEMPORAL_UI_CLEAR_TEXT: flag(true),
  /** Name of the sender in the texts of messages and pages. */
  BRAND: z.string().min(1).max(40).default('Countersign'),
  /**
   * Clients that the API registers when it starts, as JSON [{tenant, clientId, clientSecret, scopes}]. Only for local stacks: production
   * adds clients with `npm run client`.
   */
  BOOTSTRAP_CLIENTS: z.string().default('[]'),
  /** Changes of the settings of built-in confirmations, as JSON by name: {"sms-token":{"expiresAfterSeconds":120,"sendLimit":2}}. */
  FLOW_SETTINGS: z.string().default('{}'),
  /**
   * `workflow`: a running transaction is read from its workflow, by a Temporal query (a request that changes nothing). `record`: every
   * transaction is read from its record in Postgres.
   */
  READS: z.enum(['workflow', 'record']).default('workflow'),
  /** Whether questions by e-mail go only to mailboxes that are confirmed, by the caller or in this transaction. */
  REQUIRE_VERIFIED_EMAIL: flag(false),
  /** Whether a document with wrong check digits is rejected with 400. If not, the wrong check digits only give an insight. */
  STRICT_DOCUMENTS: flag(false),
  /** Biometrics settings of tenants, as JSON by tenant name or `default`: {"acme":{"imageDays":30,"channels":["sms"]}}. */
  BIOMETRICS_SETTINGS: z.string().default('{}'),
});

type IssuerSettings = Record<'OIDC_ISSUER' | 'OIDC_AUDIENCE', string | undefined> & { PUBLIC_URL: string };

/** An outside issuer needs an audience. This service itself cannot be the outside issuer. */
const withIssuer = <Schema extends z.ZodType<Partial<IssuerSettings>>>(schema: Schema): Schema =>
  schema
    .refine(({ OIDC_ISSUER, OIDC_AUDIENCE }) => OIDC_ISSUER === undefined || OIDC_AUDIENCE !== undefined, {
      path: ['OIDC_AUDIENCE'],
      message: 'is required with OIDC_ISSUER',
      when: () => true,
    })
    .refine(({ OIDC_ISSUER, PUBLIC_URL }) => OIDC_ISSUER?.replace(/\/$/, '') !== PUBLIC_URL, {
      path: ['OIDC_ISSUER'],
      message: 'must not be PUBLIC_URL: access tokens of the service itself are always accepted',
    });

const workerSchema = z.object({
  ...sharedSettings,
  ...messagingSettings,
  ...imageSettings,
  ...scoringSettings,
  /** The address on which the worker answers GET /health/live and /health/ready. 0.0.0.0: also for probes of other machines. */
  WORKER_HEALTH_HOST: z.string().default('127.0.0.1'),
  /** The port for these paths. 0: the worker opens no port. */
  WORKER_HEALTH_PORT: port(0),
  ...deploymentSettings,
  /** Whether a new version of the workers takes over by itself, or with `npm run deployment` (docs/upgrades.md). */
  WORKER_ACTIVATION: z.enum(['auto', 'manual']).default('auto'),
  /** For how many days after its last change a transaction is kept, as JSON by tenant name or `default`: {"default":180,"acme":30}. */
  RETENTION_DAYS: z.string().default('{}'),
  /** For how many days the entries of the erasure log are kept: longer than any backup of the data keys. */
  ERASURE_LOG_DAYS: z.coerce.number().int().min(1).default(90),
  /**
   * If the outcome of a message is not known: whether the worker searches for the message at the provider before a retry.
   * With false, the person may get the message twice. Set false only in tests.
   */
  RECONCILE_SENDS: flag(true),
  /**
   * How many workflows the worker keeps in memory. Each takes about 230 KB. The SDK polls for up to 10 workflow tasks at once, and with a
   * cache of 5 workflows, no workflow answered a query any more (`npm run bench -- reads`). With 10, all did. The minimum is twice as high.
   */
  WORKER_CACHED_WORKFLOWS: z.coerce.number().int().min(20).default(500),
  /** Sent to the bureau as a Bearer token. */
  BUREAU_TOKEN: visibleAscii.optional(),
  /** Timeout of the whole request to the bureau. */
  BUREAU_TIMEOUT_MS: z.coerce.number().int().min(1).max(lookupTimeoutMaxMs).default(1_000),
  /** Address of a face verifier. Unset: reviewers decide without findings. */
  FACE_VERIFIER_URL: httpAddress({ credentialsIn: 'FACE_VERIFIER_TOKEN' }).optional(),
  /** Sent to the face verifier as a Bearer token. */
  FACE_VERIFIER_TOKEN: visibleAscii.optional(),
  /** Timeout of the whole request to the face verifier. A face verifier needs seconds, but no caller waits for it. */
  FACE_VERIFIER_TIMEOUT_MS: z.coerce.number().int().min(1_000).max(60_000).default(20_000),
});

export type ApiConfig = z.infer<typeof apiSchema>;
export type WorkerConfig = z.infer<typeof workerSchema>;
/** The settings of Postgres, Temporal, keys and logs. */
export type SharedConfig = Pick<ApiConfig, keyof typeof sharedSettings>;
/** How to reach Postgres. */
export type DatabaseSettings = Pick<SharedConfig, 'DATABASE_URL'> & Partial<Pick<SharedConfig, 'DATABASE_DIRECT_URL'>>;
/** The settings of the providers of messages. */
export type MessagingConfig = Pick<WorkerConfig, keyof typeof messagingSettings>;
/** The settings of the image store. */
export type ImagesConfig = Pick<ApiConfig, keyof typeof imageSettings>;

/** A setting, or a file that a setting names, is invalid. The message is for operators, and says how to fix it. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/** Reads the settings of one process. Throws ConfigurationError with every missing or invalid setting. */
export function readConfig<Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv = process.env,
): z.infer<Schema> {
  const nonEmptySettings = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(nonEmptySettings);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigurationError(
    `The settings in the environment are invalid. See docs/configuration.md.\n  ${issues.join('\n  ')}`,
  );
}

/** Reads the settings of the database. Throws ConfigurationError. */
export const readDatabaseConfig = (environment = process.env): DatabaseSettings =>
  readConfig(z.object(databaseSettings), environment);

/** Reads the settings with which the schema is updated. Throws ConfigurationError. */
export const readMigrationConfig = (environment = process.env) =>
  readConfig(z.object({ ...databaseSettings, ...environmentSettings }), environment);

/** Reads the settings of the database and its service keys. Throws ConfigurationError. */
export const readKeysConfig = (
  environment = process.env,
): DatabaseSettings & Pick<SharedConfig, 'SERVICE_KEY' | 'OTHER_SERVICE_KEYS'> =>
  readConfig(z.object({ ...databaseSettings, ...keySettings }), environment);

/** Reads the settings of Temporal and the database. Throws ConfigurationError. */
export const readTemporalConfig = (environment = process.env) =>
  readConfig(z.object({ ...databaseSettings, ...temporalSettings }), environment);

/** Reads the settings with which versions of the workers are activated and drained. Throws ConfigurationError. */
export const readDeploymentConfig = (environment = process.env) =>
  readConfig(
    z.object({ ...databaseSettings, ...temporalSettings, ...keySettings, ...deploymentSettings }),
    environment,
  );

/** Reads the settings with which backups are taken and restored: those of the worker, without its providers. Throws ConfigurationError. */
export const readBackupConfig = (environment = process.env) =>
  readConfig(
    withBucketKeys(
      z.object({ ...databaseSettings, ...temporalSettings, ...keySettings, ...deploymentSettings, ...imageSettings }),
    ),
    environment,
  );

/** The names of all settings of API and worker. A test checks that the documentation has each of them. */
export const settingNames: readonly string[] = [apiSchema, workerSchema].flatMap(({ shape }) => Object.keys(shape));

const apiProviders = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'] as const;
const workerProviders = [...apiProviders, 'TWILIO_SMS_FROM', 'TWILIO_WHATSAPP_FROM', 'SMTP_URL'] as const;

/** Fills the environment variables that MESSAGING names. */
const withVariables =
  (environment: NodeJS.ProcessEnv) =>
  <Config extends { MESSAGING?: string | undefined }>(config: Config, context: z.RefinementCtx): Config => {
    if (config.MESSAGING === undefined) return config;
    const result = readJsonSetting(config.MESSAGING, environment);
    if ('json' in result) return { ...config, MESSAGING: result.json };
    context.addIssue({ code: 'custom', path: ['MESSAGING'], message: result.issue });
    return config;
  };

/** Reads the settings of the API. Throws ConfigurationError. */
export const readApiConfig = (environment = process.env): ApiConfig =>
  readConfig(
    withProviders(withIssuer(withBucketKeys(apiSchema)), apiProviders)
      .superRefine(checkProductionSettings)
      .transform(withVariables(environment)),
    environment,
  );

/** How long a stopping API still accepts connections, in milliseconds. */
export const stopDelayMs = ({ STOP_DELAY_SECONDS, COUNTERSIGN_ENV }: ApiConfig): number =>
  1_000 * (STOP_DELAY_SECONDS ?? (COUNTERSIGN_ENV === 'local' ? 0 : 5));

/** Reads the settings of the worker. Throws ConfigurationError. */
export const readWorkerConfig = (environment = process.env): WorkerConfig =>
  readConfig(
    withProviders(withBucketKeys(workerSchema), workerProviders)
      .superRefine(checkProductionSettings)
      .transform(withVariables(environment)),
    environment,
  );
