import { z } from 'zod';
import { flag, httpAddress, list, origin, port } from './settings';

const isServiceKey = (value: string) => Buffer.from(value, 'base64').length >= 32;

/** The keys that encrypt all other keys. */
export const keySettings = {
  /** 32 bytes or more in base64. Encrypts the root secret, all data keys, and the keys that sign access tokens. */
  SERVICE_KEY: z.string().refine(isServiceKey, 'must hold at least 32 bytes in base64'),
  /**
   * More service keys, separated by commas, that only decrypt: earlier service keys, and the next service key before it becomes
   * SERVICE_KEY.
   */
  OTHER_SERVICE_KEYS: list('').refine(
    (keys) => keys.every(isServiceKey),
    'must be keys of at least 32 bytes in base64, separated by commas',
  ),
};

export const databaseSettings = {
  /** Postgres connection address, of Postgres itself or of a pooler such as PgBouncer. */
  DATABASE_URL: z.string().min(1),
  /**
   * Address of Postgres itself, for what needs a session: migrations and notifications. Set: DATABASE_URL leads to a pooler in transaction
   * mode.
   */
  DATABASE_DIRECT_URL: z.string().min(1).optional(),
};

export const temporalSettings = {
  /** Host and port of the Temporal server (its frontend service). With several addresses in DNS, a lost one is replaced. */
  TEMPORAL_ADDRESS: z
    .string()
    .regex(
      /^(?:\[[0-9a-fA-F:.]+\]|[^\s,:/]+):\d+$/,
      'must be one host and port, such as temporal.internal:7233. Several frontends need one DNS name with all their addresses',
    )
    .default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  /** First part of the names of all Temporal task queues, from which the workers get their work. */
  TEMPORAL_TASK_QUEUE: z.string().default('countersign'),
  /** API key of Temporal Cloud; switches TLS on. */
  TEMPORAL_API_KEY: z.string().optional(),
  /** Whether to use TLS even without an API key and the settings below. */
  TEMPORAL_TLS: flag(false),
  /** File with the certificate of a private CA, in PEM format. Unset: the CAs that the operating system trusts. */
  TEMPORAL_TLS_CA: z.string().optional(),
  /** Files with the client certificate and its key, in PEM format. */
  TEMPORAL_TLS_CERT: z.string().optional(),
  TEMPORAL_TLS_KEY: z.string().optional(),
  /** The name in the certificate of the server, if it is not the host of TEMPORAL_ADDRESS. */
  TEMPORAL_TLS_SERVER_NAME: z.string().optional(),
  /** Whether to encrypt what Temporal stores about transactions. Only a local stack can switch the encryption off, to measure its costs. */
  ENCRYPT_PAYLOADS: flag(true),
};

/** The default of OpenTelemetry. The worker of a local stack uses the next port. */
export const defaultMetricsPort = 9464;

/** Settings with the names and the defaults of OpenTelemetry. */
export const telemetrySettings = {
  /** `prometheus`: the process serves its metrics at GET /metrics. */
  OTEL_METRICS_EXPORTER: z.enum(['none', 'prometheus']).default('none'),
  /** The address on which to listen. 0.0.0.0: also for a Prometheus on another machine. */
  OTEL_EXPORTER_PROMETHEUS_HOST: z.string().default('127.0.0.1'),
  /** Processes on the same machine need different ports. */
  OTEL_EXPORTER_PROMETHEUS_PORT: port(defaultMetricsPort),
  /** `otlp`: the process sends traces to a collector. OpenTelemetry reads the next settings itself. */
  OTEL_TRACES_EXPORTER: z.enum(['none', 'otlp']).default('none'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().default('http://localhost:4318'),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_TRACES_SAMPLER: z.string().default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.string().optional(),
};

export const deploymentSettings = {
  /** Name of the deployment: all workers of one installation, of all versions. */
  WORKER_DEPLOYMENT: z
    .string()
    .regex(/^[\w-]+$/, 'may contain only letters, digits, - and _')
    .default('countersign'),
  /** Version of this worker. Unset: a hash of its workflow code, so that only a change of this code makes a new version. */
  WORKER_BUILD_ID: z
    .string()
    .regex(/^[\w.-]+$/, 'may contain only letters, digits, ., - and _')
    .optional(),
};

export const environmentSettings = {
  /** Name of the environment. An access token is valid only in its environment. */
  COUNTERSIGN_ENV: z.enum(['production', 'homologation', 'local']).default('local'),
};

/** Settings that the API and the worker have in common. */
export const sharedSettings = {
  ...environmentSettings,
  /** Whether test values have fixed outcomes. Default: `true`, but in production `false`. In production, it cannot be `true`. */
  TEST_MODE: z.enum(['true', 'false']).optional(),
  ...databaseSettings,
  ...temporalSettings,
  ...keySettings,
  ...telemetrySettings,
  /** Address at which callers, persons and providers reach the API. Links begin with it, and the signatures of Twilio depend on it. */
  PUBLIC_URL: origin().default('http://127.0.0.1:3000'),
  /**
   * Limits of the messages of tenants, as JSON by tenant name or `default`: {"acme":{"messagesPerDay":500,"linkDomains":["acme.com"]}}.
   */
  SENDING_LIMITS: z.string().default('{}'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
};

/** The account at Twilio. */
export const twilioSettings = {
  TWILIO_ACCOUNT_SID: z.string().startsWith('AC'),
  TWILIO_AUTH_TOKEN: z.string().min(1),
};

const twilioOptional = z.object(twilioSettings).partial().shape;

/** The providers of messages, as far as the API needs them, for callbacks. */
export const providerSettings = {
  /** The providers of messages, as JSON or as the path of a JSON file: see `readMessaging`. Unset: Twilio and a mail server. */
  MESSAGING: z.string().optional(),
  ...twilioOptional,
};

/** The providers of messages. Without MESSAGING, all but TWILIO_BASE_URL are required. */
export const messagingSettings = {
  ...providerSettings,
  /** Address of an API that is compatible with Twilio, such as the local inbox. Unset: Twilio. */
  TWILIO_BASE_URL: z.url().optional(),
  /** Sender of SMS: a number in E.164, or a messaging service (MG…). */
  TWILIO_SMS_FROM: z.string().min(1).optional(),
  /** Sender of WhatsApp messages: a number in E.164. */
  TWILIO_WHATSAPP_FROM: z.string().min(1).optional(),
  /** Sender of voice calls: a number in E.164. Unset: TWILIO_SMS_FROM, if it is a number. */
  TWILIO_VOICE_FROM: z.string().min(1).optional(),
  /** smtp:// or smtps:// address of the mail server. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** From header of mails. */
  SMTP_FROM: z.string().default('Countersign <no-reply@countersign.local>'),
};

/** The settings of the providers without MESSAGING. */
type WithoutFile = {
  [Name in 'MESSAGING' | Exclude<keyof typeof messagingSettings, 'SMTP_FROM'>]?: string | undefined;
};

/** Without MESSAGING, these settings are required. */
export const withProviders = <Schema extends z.ZodType<WithoutFile>>(
  schema: Schema,
  required: readonly (keyof WithoutFile)[],
): Schema =>
  required.reduce(
    (checked, name) =>
      checked.refine((settings) => settings.MESSAGING !== undefined || settings[name] !== undefined, {
        path: [name],
        message: 'is required without MESSAGING',
        when: () => true,
      }),
    schema,
  );

/**
 * The longest timeout that a setting can have for a lookup in DNS or at the bureau. Both lookups run in parallel. The activity that
 * reassesses has 3.5 s. If a server does not answer within 2 s, the activity still has time to finish without the answer. The default
 * timeout is 1 s, because the caller of GET /all waits 2 s for the whole assessment. The first assessment, in the create, waits 300 ms.
 */
export const lookupTimeoutMaxMs = 2_000;

/** The settings of scores. The API makes the first assessment of a transaction, unless a bureau is asked. The worker makes all others. */
export const scoringSettings = {
  /** Folder of scoring policies: `<tenant>.json` and `default.json`. Unset: the built-in policy for all. */
  SCORING_POLICIES: z.string().optional(),
  /** Address of a bureau that gets a request about each person. Unset: no bureau. */
  BUREAU_URL: httpAddress({ credentialsIn: 'BUREAU_TOKEN' }).optional(),
  /** Timeout of the DNS lookup for the mail servers of a domain. 0: no lookup. */
  MX_TIMEOUT_MS: z.coerce.number().int().min(0).max(lookupTimeoutMaxMs).default(1_000),
};

/** The store of sealed images: the API saves and shows them, the worker erases them. */
export const imageSettings = {
  /** Folder of the images if IMAGES_S3_BUCKET is not set. API and worker must use the same folder. */
  IMAGES_DIR: z.string().default('.data/images'),
  /** Bucket of an S3-compatible store. Unset: the images are files below IMAGES_DIR. */
  IMAGES_S3_BUCKET: z.string().optional(),
  /** Address of the bucket service. Unset: the address of Amazon for the region. */
  IMAGES_S3_ENDPOINT: httpAddress({
    credentialsIn: 'IMAGES_S3_ACCESS_KEY_ID and IMAGES_S3_SECRET_ACCESS_KEY',
  }).optional(),
  IMAGES_S3_REGION: z.string().default('us-east-1'),
  IMAGES_S3_ACCESS_KEY_ID: z.string().optional(),
  IMAGES_S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** Folder of the erasure log, on another disk than Postgres. Unset: a folder of the image store. */
  ERASURE_LOG: z.string().optional(),
};

const bucketKeys = ['IMAGES_S3_ACCESS_KEY_ID', 'IMAGES_S3_SECRET_ACCESS_KEY'] as const;
type BucketSettings = { [Name in (typeof bucketKeys)[number] | 'IMAGES_S3_BUCKET']?: string | undefined };

/** A bucket needs both access keys. This is checked even if other settings are invalid, so that one error lists all issues. */
export const withBucketKeys = <Schema extends z.ZodType<BucketSettings>>(schema: Schema): Schema =>
  bucketKeys.reduce(
    (checked, key) =>
      checked.refine((settings) => settings.IMAGES_S3_BUCKET === undefined || settings[key] !== undefined, {
        path: [key],
        message: 'is required with IMAGES_S3_BUCKET',
        when: () => true,
      }),
    schema,
  );
