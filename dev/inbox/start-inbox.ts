import http from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { configureWebhooks } from '../../activities/webhooks/webhook-settings';
import type { InboxConfig } from '../../platform/config';
import { EventStream } from './api/event-stream';
import { inboxRouter } from './api/inbox-router';
import { Person } from './api/person';
import { Delivery } from './delivery';
import { Faults } from './faults';
import { openMailSink } from './mail/mail-sink';
import { Mailroom } from './mailroom';
import { pageRouter } from './page-router';
import { defaultTempo, type Tempo } from './tempo';
import { twilioRouter } from './twilio/twilio-router';
import { WebhookSender } from './webhook-sender';
import { webhooksRouter } from './webhooks/webhooks-router';

/** Longer than senders keep idle connections, so that none is closed while a request travels. */
const keepAliveMs = 65_000;

export interface Inbox {
  /** The page, the inbox API, the provider's API and the caller's webhooks. */
  url: string;
  smtpUrl: string;
  stop(): Promise<void>;
}

/** Starts the local phones and mailboxes; with port 0 the system chooses. */
export async function startInbox(
  config: InboxConfig,
  options: { tempo?: Partial<Tempo>; log?: (line: string) => void } = {},
): Promise<Inbox> {
  const tempo = { ...defaultTempo, ...options.tempo };
  const accountSid = config.TWILIO_ACCOUNT_SID;
  const authToken = config.TWILIO_AUTH_TOKEN;
  const webhookOf = configureWebhooks(config.WEBHOOKS ?? '{}', 'local');
  const mailroom = new Mailroom(config.INBOX_DATA_DIR);
  const faults = new Faults(tempo.hangMs);
  const sender = new WebhookSender(authToken, tempo.retryPausesMs, options.log ?? console.warn);
  const delivery = new Delivery(mailroom, sender, tempo, accountSid);
  const person = new Person({ mailroom, delivery, sender, accountSid, webhookUrl: config.INBOUND_WEBHOOK_URL });
  const applicationUrl = new URL(config.INBOUND_WEBHOOK_URL).origin;
  const events = new EventStream(mailroom);

  const twilio = twilioRouter({ mailroom, delivery, faults, accountSid, authToken });
  const page = pageRouter();
  const app = express().disable('x-powered-by').disable('etag');
  app.use('/api', inboxRouter({ mailroom, faults, person, events, applicationUrl }));
  app.use('/webhooks', webhooksRouter({ mailroom, faults, keysOf: (tenant) => webhookOf(tenant)?.keys }));
  app.use((request, response, next) => {
    const isProviders = /^\/(2010-04-01|v1)\//.test(request.path);
    (isProviders ? twilio : page)(request, response, next);
  });

  const mail = await openMailSink({ mailroom, faults, host: config.INBOX_HOST, port: config.INBOX_SMTP_PORT });
  const server = http.createServer({ keepAliveTimeout: keepAliveMs }, app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.INBOX_PORT, config.INBOX_HOST, resolve);
  });
  delivery.resume();

  const host = config.INBOX_HOST === '0.0.0.0' ? '127.0.0.1' : config.INBOX_HOST;
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    smtpUrl: `smtp://${host}:${mail.port}`,
    async stop() {
      delivery.stop();
      sender.stop();
      faults.clear();
      events.stop();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([closed, mail.stop()]);
      mailroom.close();
    },
  };
}
