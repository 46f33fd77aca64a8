import { type Gateway, gatewaySchema } from './gateway';
import infobipSms from './infobip-sms.json';
import vonageSms from './vonage-sms.json';

/** The gateways that the service declares. Sources: www.infobip.com/docs/api/channels/sms, developer.vonage.com/api/sms. */
const declarations = { 'infobip-sms': infobipSms, 'vonage-sms': vonageSms } as const;

export const gatewayNames = Object.keys(declarations) as (keyof typeof declarations)[];

/** The values of a gateway: those in MESSAGING, and the defaults of its declaration. */
export const gatewayValues = (gateway: Gateway, values: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(gateway.values).filter((entry): entry is [string, string] => entry[1] !== null)),
  ...values,
});

/** The declaration of a provider of the kind `gateway`. */
export const findGateway = (gateway: keyof typeof declarations | Gateway): Gateway =>
  typeof gateway === 'string' ? gatewaySchema.parse(declarations[gateway]) : gateway;
