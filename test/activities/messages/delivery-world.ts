import pino from 'pino';
import { Writable } from 'node:stream';
import { randomUUID } from 'node:crypto';
import { type Inbox, startInbox } from '../../../dev/inbox/start-inbox';
import { openConditionCompute } from '../../../activities/flows/choose-rule';
import { createActivities } from '../../../activities';
import { createMailServers } from '../../../scoring/evidence/email';
import { openPolicies } from '../../../scoring/policy/policies';
import { createPostgresLinkGraph } from '../../../scoring/postgres-link-graph';
import { openRoutes } from '../../../activities/providers/open-routes';
import { watchHealth } from '../../../activities/providers/watch-health';
import { slowRulesOf } from '../../../messages/messaging';
import { readMessaging } from '../../../messages/read-messaging';
import { fillLinkMessages } from '../../../domain/biometrics/messages';
import type { Channel, ConfirmationSettings, TextChannel } from '../../../domain/confirmations/settings';
import { confirmations } from '../../../flows/confirmations';
import { biometricsDecisionTexts, biometricsLinkMessages } from '../../../flows/biometrics-link';
import { createSealedImages } from '../../../images/sealed-images';
import { createTestKeys } from '../../support/test-keys';
import { biometricsPath, biometricsToken } from '../../../messages/links';
import { createLogger } from '../../../platform/logger';
import { createTestLimits } from '../../support/test-limits';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import type { Activities, MessageToDeliver, SendReceipt } from '../../../workflows/contract/activities';
import { createMemoryStore } from '../../images/memory-store';
import { newActivity } from '../../support/new-activity';
import { startPostgres } from '../../support/postgres';
import { testTransactionKeys } from '../../support/test-data-converter';

export const keys = createTestKeys(Buffer.alloc(32, 7).toString('base64'));
export const publicUrl = 'http://127.0.0.1:9';

export const account = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'only-for-tests' };

export interface InboxMessage {
  id: string;
  channel: string;
  to: string;
  from: string;
  subject?: string;
  text: string;
  html?: string;
  links: string[];
  buttons?: { option: number; title: string }[];
  copyButton?: { title: string; code: string };
}

/** A failure of the next `times` messages (see dev/inbox/failure-injector.ts). `code`: an error code of Twilio. */
interface PlannedFailure {
  channel: Channel;
  kind: 'status' | 'timeout' | 'acceptThenDrop' | 'acceptThenHang' | 'reset';
  status?: number;
  code?: number;
  times?: number;
}

export interface DeliveryWorld {
  pool: Pool;
  inbox: Inbox;
  /** The log lines of the activities. */
  log: string[];
  /** `reconcile`: whether an attempt asks the provider for a message whose outcome is unknown. */
  openActivities(changes?: {
    reconcile?: boolean;
    smsFrom?: string;
    twilioUrl?: string;
    authToken?: string;
    smtpUrl?: string;
    environment?: 'local' | 'production';
    /** The content of MESSAGING. Absent: one Twilio account and one mail server. */
    messaging?: object;
    /** The setting SENDING_LIMITS. */
    sendingLimits?: object;
  }): Activities;
  /** Does what a worker does every 30 s to know its providers, for the activities that were opened last. */
  measureHealth(): Promise<void>;
  readMessages(to: string): Promise<InboxMessage[]>;
  planFailures(...failures: PlannedFailure[]): Promise<void>;
  /**
   * Makes the last request of a send one minute older, so that the next attempt searches the provider's list at once. Otherwise, the
   * attempt first waits until the last request has certainly ended.
   */
  skipReconcileWait(sendId: string): Promise<void>;
  stop(): Promise<void>;
}

/** Runs one attempt in its own activity. */
export function attemptDelivery(activities: Activities, message: MessageToDeliver): Promise<SendReceipt> {
  return newActivity().run(activities.deliverMessage, message);
}

/** Returns the error of an attempt. Throws if the attempt succeeds. */
export async function failureOf(delivery: Promise<unknown>) {
  const error = await delivery.then(
    () => {
      throw new Error('The attempt succeeded.');
    },
    (error: { type?: string; nonRetryable?: boolean; details?: unknown[]; nextRetryDelay?: unknown }) => error,
  );
  const { type, nonRetryable, details, nextRetryDelay } = error;
  return { type, final: nonRetryable, details: details?.[0], nextRetryDelay };
}

let lastNumber = 0;

/** A phone that no other test uses. */
export function newPhone(): string {
  lastNumber += 1;
  return `+55119${String(80_000_000 + lastNumber)}`;
}

/** A message of the confirmation `settingsName`, to a new phone or mailbox. */
export function newMessage(settingsName: string, changes: Partial<MessageToDeliver> = {}): MessageToDeliver {
  const settings = confirmations.find((confirmation) => confirmation.name === settingsName) as ConfirmationSettings;
  const { name, channel, kind, codeDigits, options } = settings;
  const confirmationId = randomUUID();
  const fill = (text: string) => text.replaceAll('{{brand}}', 'Acme').replaceAll('{{minutes}}', '5');
  const { subject, body } = settings.message['pt-BR'];
  return {
    tenant: 'tests',
    transactionId: randomUUID(),
    confirmationOrLinkId: confirmationId,
    sendId: `${confirmationId}.1`,
    settings: { name, channel, kind, ...(codeDigits ? { codeDigits } : {}), ...(options ? { options } : {}) },
    language: 'pt-BR',
    message: { body: fill(body), ...(subject ? { subject: fill(subject) } : {}) },
    destination: channel === 'email' ? `${confirmationId}@example.org` : newPhone(),
    expiresAt: new Date(Date.now() + 300_000).toISOString(),
    ...changes,
  };
}

/** A message with a biometrics link, to a new phone or mailbox. */
export function newLinkMessage(channel: TextChannel, changes: Partial<MessageToDeliver> = {}): MessageToDeliver {
  const biometricsId = randomUUID();
  const language = changes.language ?? 'pt-BR';
  return {
    tenant: 'tests',
    transactionId: randomUUID(),
    confirmationOrLinkId: biometricsId,
    sendId: `${biometricsId}.${channel}`,
    settings: { name: 'biometrics-link', channel, kind: 'link' },
    language,
    message: fillLinkMessages(biometricsLinkMessages, { brand: 'Acme', hours: 24 })[channel][language],
    destination: channel === 'email' ? `${biometricsId}@example.org` : newPhone(),
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    ...changes,
  };
}

/** The message about the decision of a review. */
export function newDecisionMessage(channel: TextChannel): MessageToDeliver {
  const message = newLinkMessage(channel);
  return {
    ...message,
    sendId: `${message.confirmationOrLinkId}.decided-${channel}`,
    settings: { name: 'biometrics-decision', channel, kind: 'biometricsResult' },
    message: fillLinkMessages(biometricsDecisionTexts, { brand: 'Acme', hours: 24 })[channel][message.language],
  };
}

/** The link that the message must contain. */
export function linkOf({ tenant, transactionId, confirmationOrLinkId: biometricsId }: MessageToDeliver): string {
  const token = biometricsToken(keys, { tenant, transactionId, biometricsId });
  return `${publicUrl}${biometricsPath(token)}`;
}

/** Starts an inbox on any free port. */
export const startTestInbox = (): Promise<Inbox> =>
  startInbox(
    {
      ...account,
      INBOX_PORT: 0,
      INBOX_HOST: '127.0.0.1',
      INBOX_SMTP_PORT: 0,
      INBOX_DATA_DIR: undefined,
      INBOUND_WEBHOOK_URL: publicUrl,
    },
    // No server receives the status callbacks, so the inbox must not retry them.
    { timing: { retryPausesMs: [] }, log: () => undefined },
  );

/** Starts Postgres and the inbox, for tests that call activities without a worker. */
export async function startDeliveryWorld(): Promise<DeliveryWorld> {
  const postgres = await startPostgres();
  const inbox = await startTestInbox();
  const pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'));
  const log: string[] = [];
  const logStream = new Writable({ write: (chunk: Buffer, _, done) => done(void log.push(chunk.toString())) });
  const closeCallbacks: (() => void)[] = [];
  const conditionCompute = openConditionCompute();
  const call = async (path: string, method = 'GET', body?: unknown): Promise<Response> => {
    const headers = { 'content-type': 'application/json' };
    return fetch(`${inbox.url}/api${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  };
  const world: DeliveryWorld = {
    pool,
    inbox,
    log,
    measureHealth: async () => undefined,
    openActivities({
      reconcile = true,
      smsFrom = '+15550001111',
      twilioUrl = inbox.url,
      authToken = account.TWILIO_AUTH_TOKEN,
      smtpUrl = inbox.smtpUrl,
      environment = 'local',
      messaging: messagingFile,
      sendingLimits = { default: { lowAnswerRate: { messages: 20, rate: 0, blockHours: 12 } } },
    } = {}) {
      const messaging = readMessaging({
        ...account,
        COUNTERSIGN_ENV: environment,
        TWILIO_AUTH_TOKEN: authToken,
        TWILIO_BASE_URL: twilioUrl,
        TWILIO_SMS_FROM: smsFrom,
        TWILIO_WHATSAPP_FROM: '+15550002222',
        SMTP_URL: smtpUrl,
        SMTP_FROM: 'Acme <no-reply@acme.test>',
        ...(messagingFile && { MESSAGING: JSON.stringify(messagingFile) }),
      });
      const logger = pino(logStream);
      const config = { COUNTERSIGN_ENV: environment, PUBLIC_URL: publicUrl };
      const { routes, givesReports, health, close } = openRoutes(messaging, { config, keys, pool, logger });
      closeCallbacks.push(close);
      const watch = watchHealth({ pool, health, rules: slowRulesOf(messaging), logger });
      closeCallbacks.push(watch.stop);
      world.measureHealth = watch.run;
      return createActivities({
        pool,
        keys,
        transactionKeys: testTransactionKeys,
        logger,
        publicUrl,
        routes,
        givesReports,
        reconcile,
        limits: createTestLimits(sendingLimits),
        linkGraph: createPostgresLinkGraph(pool, keys),
        mailServers: createMailServers({ timeoutMs: 0 }),
        policies: openPolicies(undefined),
        images: createSealedImages(pool, keys, createMemoryStore().store),
        erasureLog: { append: async () => undefined },
        conditionCompute,
      });
    },
    readMessages: async (to) => (await (await call(`/messages?to=${encodeURIComponent(to)}`)).json()) as InboxMessage[],
    planFailures: async (...failures) => void (await call('/faults', 'PUT', failures)),
    skipReconcileWait: async (sendId) =>
      void (await pool.query(
        "update sends set dispatched_at = dispatched_at - interval '1 minute' where send_id = $1",
        [sendId],
      )),
    async stop() {
      for (const close of closeCallbacks) close();
      await conditionCompute.close();
      await pool.end();
      await inbox.stop();
      await postgres.stop();
    },
  };
  return world;
}
