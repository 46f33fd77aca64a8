import type { BiometricsProposal } from '../../domain/biometrics/link-proposal';
import { fillLinkMessages } from '../../domain/biometrics/link-message';
import { biometricsLink } from '../../flows/biometrics-link';
import { biometricsToken, hashBiometricsToken } from '../../platform/links';
import type { Dependencies } from '../dependencies';
import type { BiometricsBody } from '../schemas/biometrics-body';
import type { Target } from '../transactions';

const hourSeconds = 3_600;

/** What the API proposes to a transaction when a biometrics link is asked for. Its channels are the body's, else the tenant's. */
export function linkProposalOf(
  parts: Pick<Dependencies, 'keys' | 'config' | 'biometrics'>,
  { tenant, id: transactionId }: Target,
  body: BiometricsBody,
  biometricsId: string,
): BiometricsProposal {
  const { keys, config } = parts;
  const { linkSeconds, imageDays, facePolicy, ...settings } = parts.biometrics(tenant);
  const channels = body.channels ?? settings.channels;
  const texts = fillLinkMessages(biometricsLink, { brand: config.BRAND, hours: Math.floor(linkSeconds / hourSeconds) });
  const { name, birthdate, identifierDate } = body;
  return {
    biometricsId,
    tokenHash: hashBiometricsToken(biometricsToken(keys, { tenant, transactionId, biometricsId })),
    expiresAfterMs: linkSeconds * 1_000,
    language: config.DEFAULT_LANGUAGE,
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof birthdate === 'string' ? { birthdate } : {}),
    ...(typeof identifierDate === 'string' ? { identifierDate } : {}),
    channels,
    messages: Object.fromEntries(channels.map((channel) => [channel, texts[channel]])),
    allowedCountries: config.ALLOWED_COUNTRIES,
    imageDays,
    ...(facePolicy ? { facePolicy } : {}),
  };
}
