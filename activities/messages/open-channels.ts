import type { Channel as ChannelName } from '../../domain/confirmations/settings';
import type { WorkerConfig } from '../../platform/config';
import { isLoopback } from '../../platform/ip-addresses';
import type { Keys } from '../../platform/keys/service-keys';
import { inSpan } from '../../platform/telemetry/spans';
import type { DeliveryChannel } from './channel';
import { WhatsappTemplates } from './whatsapp-templates';
import { createMailChannel } from './smtp';
import { createSmsChannel, createWhatsappChannel } from './twilio';
import { openTwilio } from './twilio-client';

type ChannelConfig = Pick<
  WorkerConfig,
  | 'COUNTERSIGN_ENV'
  | 'PUBLIC_URL'
  | 'TWILIO_ACCOUNT_SID'
  | 'TWILIO_AUTH_TOKEN'
  | 'TWILIO_BASE_URL'
  | 'TWILIO_SMS_FROM'
  | 'TWILIO_WHATSAPP_FROM'
  | 'SMTP_URL'
  | 'SMTP_FROM'
>;

/** Opens the channels that the settings define. */
export function openChannels(
  config: ChannelConfig,
  keys: Keys,
): { channels: Record<ChannelName, DeliveryChannel>; close: () => void } {
  const client = openTwilio({
    accountSid: config.TWILIO_ACCOUNT_SID,
    authToken: config.TWILIO_AUTH_TOKEN,
    ...(config.TWILIO_BASE_URL === undefined ? {} : { baseUrl: config.TWILIO_BASE_URL }),
  });
  const publicUrl = config.PUBLIC_URL;
  const mail = createMailChannel({
    url: config.SMTP_URL,
    from: config.SMTP_FROM,
    keys,
    mustEncrypt: config.COUNTERSIGN_ENV !== 'local' && !isLoopback(new URL(config.SMTP_URL).hostname),
  });
  return {
    channels: {
      sms: traced('sms', 'twilio', createSmsChannel({ client, from: config.TWILIO_SMS_FROM, publicUrl })),
      whatsapp: traced(
        'whatsapp',
        'twilio',
        createWhatsappChannel({ client, from: config.TWILIO_WHATSAPP_FROM, publicUrl }, new WhatsappTemplates(client)),
      ),
      email: traced('email', 'smtp', mail.channel),
    },
    close: mail.close,
  };
}

/** A channel whose calls to the provider are steps of a trace. */
function traced(name: ChannelName, provider: 'twilio' | 'smtp', channel: DeliveryChannel): DeliveryChannel {
  const attributes = { 'messaging.system': provider, 'countersign.channel': name };
  const step = <Result>(call: string, work: () => Promise<Result>) => inSpan(`${provider} ${call}`, attributes, work);
  return {
    outcomeKnownAfterMs: channel.outcomeKnownAfterMs,
    send: (message, msLeft) => step('send', () => channel.send(message, msLeft)),
    ...(channel.prepare && { prepare: (message) => step('prepare', async () => channel.prepare?.(message)) }),
    ...(channel.find && {
      find: (message, since) => step('find', async () => (await channel.find?.(message, since)) ?? []),
    }),
  };
}
