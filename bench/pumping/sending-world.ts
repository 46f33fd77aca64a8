import { randomUUID } from 'node:crypto';
import { createDelivery, type DeliveryDependencies } from '../../activities/messages/deliver';
import { createMessageLimits } from '../../activities/messages/limits';
import { createRecorder } from '../../activities/save-record';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres/postgres';
import { readSendingLimits } from '../../messages/sending-limits';
import { buildState } from '../../test/support/build';
import { newActivity } from '../../test/support/new-activity';
import { startBenchPostgres } from '../links/bench-postgres';
import { benchKeys, benchTransactionKeys } from '../links/bench-keys';

/** Price of one segment in the simulation. A segment is one SMS; a long text needs several segments. */
export const pricePerSegment = 0.05;

/**
 * The part of the service that sends messages, with a real Postgres. The price per segment and the spend per day are set here. All other
 * limits have their defaults. A simulated provider replaces Twilio. It accepts every message.
 */
export interface SendingWorld {
  pool: Pool;
  /** Sends a code. Returns the id of the transaction; undefined if a limit rejected the message. */
  send(tenant: string, phone: string): Promise<string | undefined>;
  /** Saves that the person of a transaction used the code. */
  answer(tenant: string, transactionId: string): Promise<void>;
  /**
   * Makes one attempt with a code. `correct`: whether the code is correct. Returns whether the attempt is within the limits of the phone.
   */
  attempt(tenant: string, phone: string, correct: boolean): Promise<boolean>;
  stop(): Promise<void>;
}

/** `connections`: the highest number of connections to Postgres. */
export async function startSendingWorld(connections: number): Promise<SendingWorld> {
  const postgres = await startBenchPostgres();
  const logger = createLogger('bench', 'silent');
  const pool = openPool(await postgres.createDatabase('pumping'), logger, connections);
  const provider = { name: 'bench', outcomeKnownAfterMs: 0, send: async () => randomUUID() };
  const limits = createMessageLimits(
    readSendingLimits({
      SENDING_LIMITS: JSON.stringify({
        default: { pricePerSegment: { default: pricePerSegment }, spendPerDay: 2_000 },
      }),
      COUNTERSIGN_ENV: 'production',
    }),
  );
  const dependencies: DeliveryDependencies = {
    pool,
    keys: benchKeys,
    publicUrl: 'http://127.0.0.1:3000',
    routes: async () => ({
      whenUnknown: 'once',
      providers: [provider],
      onRequest: () => true,
      onOutcome: () => undefined,
    }),
    reconcile: true,
    limits,
    logger,
  };
  const deliver = createDelivery(dependencies);
  const saveRecord = createRecorder({
    pool,
    keys: benchKeys,
    transactionKeys: benchTransactionKeys,
    limits,
    logger,
  });
  return {
    pool,
    async send(tenant, phone) {
      const [transactionId, confirmationId] = [randomUUID(), randomUUID()];
      const message = {
        tenant,
        transactionId,
        confirmationOrLinkId: confirmationId,
        sendId: `${confirmationId}.1`,
        settings: { name: 'sms-token', channel: 'sms' as const, kind: 'token' as const, codeDigits: 6 },
        language: 'en' as const,
        message: { body: 'Your code is {{code}}.' },
        destination: phone,
        expiresAt: new Date(Date.now() + 300_000).toISOString(),
      };
      return newActivity()
        .run(deliver, message)
        .then(
          () => transactionId,
          (error: { type?: string }) => {
            if (error.type === undefined || error.type === 'ProviderUnavailable') throw error;
            return undefined;
          },
        );
    },
    async answer(tenant, transactionId) {
      await pool.query('select spread_facts($1, $2, true, false, false)', [tenant, transactionId]);
    },
    async attempt(tenant, phone, correct) {
      const state = { ...buildState(), tenant, id: randomUUID(), version: 1 };
      const attempt = { attemptId: randomUUID(), destination: phone, counts: !correct, stateIfRejected: state };
      return (await saveRecord({ savedVersion: 0, state, attempt })).attemptAllowed;
    },
    async stop() {
      await pool.end();
      await postgres.stop();
    },
  };
}
