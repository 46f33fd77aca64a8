import type { Channel as ChannelName } from '../../domain/confirmations/settings';
import type { WorkerConfig } from '../../platform/config';
import type { Keys } from '../../platform/keys/service-keys';
import type { DeliveryChannel } from './channel';
import { WhatsappTemplates } from './whatsapp-templates';
import { createMailChannel } from './smtp';
import { createSmsChannel, createWhatsappChannel } from './twilio';
import { openTwilio } from './twilio-client';

type ChannelConfig = Pick<
  WorkerConfig,
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
  const mail = createMailChannel({ url: config.SMTP_URL, from: config.SMTP_FROM, keys });
  return {
    channels: {
      sms: createSmsChannel({ client, from: config.TWILIO_SMS_FROM, publicUrl }),
      whatsapp: createWhatsappChannel(
        { client, from: config.TWILIO_WHATSAPP_FROM, publicUrl },
        new WhatsappTemplates(client),
      ),
      email: mail.channel,
    },
    close: mail.close,
  };
}
