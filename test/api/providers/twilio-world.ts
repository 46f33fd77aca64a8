import { randomBytes } from 'node:crypto';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks';
import { ProviderEventProcessor } from '../../../api/providers/provider-event-processor';
import type { Confirmation } from '../../../domain/confirmations/confirmation';
import { hashDestination } from '../../../messages/codes';
import type { Logger } from '../../../platform/logger';
import { startPostgres } from '../../support/postgres';
import { type ApiResponse, ApiWorld, publicUrl, twilioAuthToken } from '../api-world';

export const phoneNumber = '+5511987654321';
/** A new message id in Twilio's format. */
export const createMessageSid = () => `SM${randomBytes(16).toString('hex')}`;

/** A sent message with its transaction. */
export interface SavedSend {
  transactionId: string;
  /** The transaction's path in the API. */
  path: string;
  sendId: string;
  confirmationId: string;
}

/** The API with a database, and a simulated Twilio. The API processes the saved provider events. */
export class TwilioWorld {
  private constructor(
    readonly api: ApiWorld,
    private readonly eventProcessor: ProviderEventProcessor,
    private readonly stopPostgres: () => Promise<void>,
  ) {}

  static async open(logger?: Logger): Promise<TwilioWorld> {
    const postgres = await startPostgres();
    const api = await ApiWorld.open({ DATABASE_URL: await postgres.createDatabase() }, logger);
    const eventProcessor = new ProviderEventProcessor(api.dependencies);
    api.dependencies.providerEvents = eventProcessor;
    return new TwilioWorld(api, eventProcessor, () => postgres.stop());
  }

  get pool() {
    return this.api.dependencies.pool;
  }

  get transactions() {
    return this.api.transactions;
  }

  async close(): Promise<void> {
    await this.eventProcessor.stop();
    await this.api.close();
    await this.stopPostgres();
  }

  /** `signature`: valid by default. */
  sendTwilioRequest(
    path: string,
    form: Record<string, string>,
    signature?: string,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const sentSignature = signature ?? getExpectedTwilioSignature(twilioAuthToken, `${publicUrl}${path}`, form);
    const raw = new URLSearchParams(form).toString();
    return this.api.post(path, {
      rawBody: raw,
      token: null,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': sentSignature,
        ...headers,
      },
    });
  }

  sendInboundRequest(form: Record<string, string>): Promise<ApiResponse> {
    return this.sendTwilioRequest('/webhooks/twilio/inbound', {
      MessageSid: createMessageSid(),
      From: phoneNumber,
      Body: '',
      ...form,
    });
  }

  async waitUntilProcessed(): Promise<void> {
    for (;;) {
      const { rows } = await this.pool.query('select 1 from provider_events where done_at is null');
      if (rows.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Saves a message whose request the provider has not answered yet (`dispatching`). */
  async saveSend(
    channel: 'sms' | 'whatsapp' | 'voice',
    kind: 'token' | 'secondFactor' = 'secondFactor',
    phone = phoneNumber,
  ): Promise<SavedSend> {
    const { id, path } = await this.api.createTransaction();
    const folder = { sms: 'sms', whatsapp: 'whatsapps', voice: 'voice' }[channel];
    const endpoint = `${folder}/${kind === 'token' ? 'tokens' : '2fa'}`;
    await this.api.post(`${path}/${endpoint}`);
    const confirmationId = this.transactions.confirmationIds.at(-1) ?? '';
    const sendId = `${confirmationId}.1`;
    await this.pool.query(
      `insert into sends (send_id, tenant, transaction_id, confirmation_or_link_id, settings_name, channel, kind, destination, state, expires_at)
       values ($1, 'local', $2, $3, 'flow', $4, $5, $6, 'dispatching', now() + interval '30 minutes')`,
      [sendId, id, confirmationId, channel, kind, hashDestination(this.api.dependencies.keys, phone)],
    );
    return { transactionId: id, path, sendId, confirmationId };
  }

  /** Gives a message a new id of the provider. Returns this id. */
  async assignProviderId({ sendId }: SavedSend): Promise<string> {
    const providerId = createMessageSid();
    await this.pool.query('update sends set provider_id = $2 where send_id = $1', [sendId, providerId]);
    return providerId;
  }

  /** The outcome of the newest confirmation. */
  outcomeOf({ transactionId: id }: SavedSend): Confirmation['outcome'] {
    return this.transactions.states.get(`local/${id}`)?.confirmations.at(-1)?.outcome;
  }
}
