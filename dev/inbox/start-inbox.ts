import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import express from 'express';
import type { InboxConfig } from './settings';
import { Simulator } from '../flow/simulator/simulator';
import { EventStream } from './api/event-stream';
import { answerInboxProblem } from './api/inbox-problem';
import { inboxRouter } from './api/inbox-router';
import { Person } from './api/person';
import { Calls } from './calls/calls';
import { checkHost } from './check-host';
import { Delivery } from './delivery';
import { FailureInjector } from './failure-injector';
import { gatewayRouter } from './gateways/gateway-router';
import { pageRouter } from './page-router';
import { openMailSink } from './mail/mail-sink';
import { MessageStore } from './message-store';
import { defaultTiming, type NetworkTiming } from './network-timing';
import { twilioRouter } from './twilio/twilio-router';
import { CallbackSender } from './callback-sender';
import { webhooksRouter } from './caller-server/webhooks-router';

/**
 * How long the server keeps an idle connection. HTTP clients close an idle connection earlier, so the server never closes a connection on
 * which a request is arriving.
 */
const keepAliveMs = 65_000;

/** The script of the simulator. The script is not part of the build. So the path must not contain `dist/`. */
const simulatorScript = path.join(
  __dirname.replace(/(?<=[\\/])dist[\\/](?=dev[\\/]inbox$)/, ''),
  ...['..', 'flow', 'simulator', 'main.mjs'],
);

export interface Inbox {
  /** Address of the page, the inbox API, the API of the provider and the webhooks of callers. */
  url: string;
  smtpUrl: string;
  stop(): Promise<void>;
}

/** Starts the local phones and mailboxes. Port 0 means any free port. */
export async function startInbox(
  config: InboxConfig,
  options: { timing?: Partial<NetworkTiming>; log?: (line: string) => void } = {},
): Promise<Inbox> {
  const timing = { ...defaultTiming, ...options.timing };
  const accountSid = config.TWILIO_ACCOUNT_SID;
  const authToken = config.TWILIO_AUTH_TOKEN;
  const store = new MessageStore(config.INBOX_DATA_DIR, authToken);
  const failureInjector = new FailureInjector(store, timing.hangMs);
  const sender = new CallbackSender(authToken, timing.retryPausesMs, options.log ?? console.warn);
  const delivery = new Delivery(store, sender, timing, accountSid);
  const calls = new Calls(store, sender, timing, accountSid);
  const person = new Person({ store, delivery, sender, accountSid, webhookUrl: config.INBOUND_WEBHOOK_URL });
  const applicationUrl = new URL(config.INBOUND_WEBHOOK_URL).origin;
  const events = new EventStream(store);
  const simulator = new Simulator(simulatorScript);

  const twilio = twilioRouter({ store, delivery, calls, failureInjector, accountSid, authToken });
  const gateways = gatewayRouter({ store, delivery, failureInjector, authToken });
  const page = pageRouter();
  const app = express().disable('x-powered-by').disable('etag');
  app.use(checkHost(config.INBOX_HOST));
  app.use(
    '/api',
    inboxRouter({ store, failureInjector, person, calls, pageUpdates: events, simulator, applicationUrl }),
  );
  app.use('/webhooks', webhooksRouter({ store, failureInjector }));
  app.use((request, response, next) => {
    if (request.path.startsWith('/sms/')) return gateways(request, response, next);
    const isProviderApi = /^\/(2010-04-01|v1)\//.test(request.path);
    return (isProviderApi ? twilio : page)(request, response, next);
  });
  app.use(answerInboxProblem);

  const mailSink = await openMailSink({
    store,
    failureInjector,
    host: config.INBOX_HOST,
    port: config.INBOX_SMTP_PORT,
  });
  const server = http.createServer({ keepAliveTimeout: keepAliveMs }, app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.INBOX_PORT, config.INBOX_HOST, resolve);
  });
  delivery.resume();
  calls.resume();

  const host = config.INBOX_HOST === '0.0.0.0' ? '127.0.0.1' : config.INBOX_HOST;
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    smtpUrl: `smtp://${host}:${mailSink.port}`,
    async stop() {
      delivery.stop();
      calls.stop();
      sender.stop();
      failureInjector.releaseAll();
      events.stop();
      simulator.stop();
      const serverClosed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([serverClosed, mailSink.stop()]);
      store.close();
    },
  };
}
