import type { PageRequester } from '../../domain/person';
import type { BiometricsProposal } from '../../domain/biometrics/biometrics';
import { biometricsToken, hashBiometricsToken } from '../../messages/links';
import type { Dependencies } from '../dependencies';
import type { BiometricsBody } from './biometrics-body';
import type { Target } from '../temporal/transactions';
import { linkTexts } from './link-texts';

/** Returns the input of a request for a biometrics link. If the body has no channels, uses the channels of the tenant's settings. */
export function linkProposalOf(
  dependencies: Pick<Dependencies, 'keys' | 'config' | 'biometricsSettings'>,
  { tenant, id: transactionId }: Target,
  body: Omit<BiometricsBody, 'returnUrl'>,
  biometricsId: string,
  requester: PageRequester,
): BiometricsProposal {
  const { keys, config } = dependencies;
  const { linkSeconds, imageDays, facePolicy, ...settings } = dependencies.biometricsSettings(tenant);
  const channels = body.channels ?? settings.channels;
  const { name, birthdate, identifierDate } = body;
  return {
    biometricsId,
    requester,
    tokenHash: hashBiometricsToken(biometricsToken(keys, { tenant, transactionId, biometricsId })),
    expiresAfterMs: linkSeconds * 1_000,
    language: config.DEFAULT_LANGUAGE,
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof birthdate === 'string' ? { birthdate } : {}),
    ...(typeof identifierDate === 'string' ? { identifierDate } : {}),
    channels,
    ...linkTexts(config.BRAND, channels, linkSeconds),
    allowedDialCodes: config.ALLOWED_COUNTRIES,
    imageDays,
    ...(facePolicy ? { facePolicy } : {}),
  };
}
