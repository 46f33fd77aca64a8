import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { isLoopback, isPublicAddress } from '../platform/ip-addresses';
import { gatewayNames, gateways } from './gateways';
import type { Gateway } from './gateways/gateway';
import { addressesOf, channelSchema, checkListed, type ProviderSettings, providersSchema } from './messaging';
import { unsafeSettings } from './read-messaging';

/** The messaging settings of one tenant. A channel that is absent has the providers of the service. */
export type OwnMessaging = z.infer<ReturnType<typeof ownMessagingSchema>>;

/** What an answer shows in place of a secret. */
export const mask = '********';

/** More providers and countries than anybody needs. Without a bound, one tenant could fill the memory of a worker. */
const providersMax = 20;
const listedMax = 20;

const ownChannel = channelSchema
  .omit({ slow: true })
  .refine(({ providers }) => providers.length <= listedMax, `must have at most ${listedMax} providers`);

/**
 * The schema of the messaging settings of a tenant: that of MESSAGING, without variables of the environment. Outside of local stacks, providers must
 * have public addresses. Their names are looked up again for each message.
 */
export const ownMessagingSchema = ({ isLocal }: { isLocal: boolean }) =>
  z
    .strictObject({
      providers: providersSchema.refine(
        (providers) => Object.keys(providers).length <= providersMax,
        `must have at most ${providersMax} providers`,
      ),
      channels: z.strictObject({
        sms: ownChannel.optional(),
        whatsapp: ownChannel.optional(),
        email: ownChannel.optional(),
      }),
    })
    .superRefine(checkListed)
    .superRefine(({ providers }, context) => {
      for (const [name, settings] of Object.entries(providers)) {
        const issues = [
          ...secretIssues(settings),
          ...(isLocal ? [] : [...unsafeSettings(settings), ...addressIssues(settings)]),
        ];
        for (const message of issues) context.addIssue({ code: 'custom', path: ['providers', name], message });
      }
    });

/** Texts in place of a secret that are none. */
function secretIssues(settings: ProviderSettings): string[] {
  const texts = JSON.stringify(settings);
  return [
    ...(texts.includes(mask) ? ['has the mask of a secret: send the secret itself'] : []),
    ...(/"\$[A-Z][A-Z0-9_]*"/.test(texts) ? ['has the name of a variable, such as $TOKEN: send the value itself'] : []),
  ];
}

/** Addresses of the inside of the service, which a tenant must not reach. */
function addressIssues(settings: ProviderSettings): string[] {
  if (settings.kind === 'twilio') return settings.baseUrl === undefined ? [] : ['baseUrl: must be absent'];
  const addresses = settings.kind === 'smtp' ? [settings.url] : addressesOf(settings);
  const isInside = (address: string) => {
    const { hostname } = new URL(address);
    return isLoopback(hostname) || isPublicAddress(hostname) === false;
  };
  return addresses.some(isInside) ? ['must have a public address'] : [];
}

/** A provider as it is saved and shown: with the name of its gateway, if the service declares it. */
type NamedProvider =
  | Exclude<ProviderSettings, { kind: 'gateway' }>
  | (Omit<Extract<ProviderSettings, { kind: 'gateway' }>, 'gateway'> & { gateway: string | Gateway });

/** The settings as they are saved: a gateway of the service by its name, so that a later release may correct its declaration. */
export const withGatewayNames = ({ providers, channels }: OwnMessaging) => ({
  providers: mapValues(providers, (settings): NamedProvider => {
    if (settings.kind !== 'gateway') return settings;
    const known = gatewayNames.find((one) => isDeepStrictEqual(gateways[one], settings.gateway));
    return { ...settings, gateway: known ?? settings.gateway };
  }),
  channels,
});

/** The settings as an answer shows them, without secrets. */
export function withoutSecrets(messaging: OwnMessaging) {
  const { providers, channels } = withGatewayNames(messaging);
  return { providers: mapValues(providers, maskSecrets), channels };
}

function maskSecrets(settings: NamedProvider): NamedProvider {
  if (settings.kind === 'twilio') return { ...settings, authToken: mask };
  if (settings.kind === 'smtp') {
    const { url, dkim, ...rest } = settings;
    return { ...rest, url: withoutPassword(url), ...(dkim && { dkim: { ...dkim, privateKey: mask } }) };
  }
  // Which values are secret, only the provider knows. An address is none.
  const values = Object.entries(settings.values).map(([name, value]): [string, string] => [
    name,
    name === 'baseUrl' ? withoutPassword(value) : mask,
  ]);
  return { ...settings, values: Object.fromEntries(values) };
}

const mapValues = <Value, Result>(values: Record<string, Value>, map: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(values).map(([name, value]): [string, Result] => [name, map(value)]));

function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.password) url.password = mask;
  return url.href;
}
