import { fillLinkMessages } from '../../domain/biometrics/link-message';
import type { BiometricsProposal } from '../../domain/biometrics/link-proposal';
import type { Channel } from '../../domain/confirmation-settings';
import { biometricsDecided, biometricsLink } from '../../flows/biometrics-link';

const hourSeconds = 3_600;

/** The messages of a link on its channels: with the link, and after the decision. */
export function linkTexts(
  brand: string,
  channels: readonly Channel[],
  linkSeconds: number,
): Pick<BiometricsProposal, 'messages' | 'decisionTexts'> {
  const ofChannels = <Texts>(texts: Record<Channel, Texts>): Partial<Record<Channel, Texts>> =>
    Object.fromEntries(channels.map((channel) => [channel, texts[channel]]));
  const hours = Math.floor(linkSeconds / hourSeconds);
  return {
    messages: ofChannels(fillLinkMessages(biometricsLink, { brand, hours })),
    decisionTexts: ofChannels(fillLinkMessages(biometricsDecided, { brand, hours })),
  };
}
