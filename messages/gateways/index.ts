import { gatewaySchema } from './gateway';
import infobipSms from './infobip-sms.json';
import vonageSms from './vonage-sms.json';

/** The gateways that the service declares. Sources: www.infobip.com/docs/api/channels/sms, developer.vonage.com/api/sms. */
export const gateways = {
  'infobip-sms': gatewaySchema.parse(infobipSms),
  'vonage-sms': gatewaySchema.parse(vonageSms),
} as const;

export const gatewayNames = Object.keys(gateways) as (keyof typeof gateways)[];
