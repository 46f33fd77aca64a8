import { fillLinkMessages } from '../../domain/biometrics/messages';
import type { BiometricsProposal } from '../../domain/biometrics/biometrics';
import type { Channel } from '../../domain/confirmation/settings';
import { biometricsDecisionTexts, biometricsLinkMessages } from '../../flows/biometrics-link';

const hourSeconds = 3_600;

/** Returns texts by channel: `messages` have the link, `decisionTexts` are sent after the decision. */
export function linkTexts(
  brand: string,
  channels: readonly Channel[],
  linkSeconds: number,
): Pick<BiometricsProposal, 'messages' | 'decisionTexts'> {
  const pickChannels = <Texts>(texts: Record<Channel, Texts>): Partial<Record<Channel, Texts>> =>
    Object.fromEntries(channels.map((channel) => [channel, texts[channel]]));
  const hours = Math.floor(linkSeconds / hourSeconds);
  return {
    messages: pickChannels(fillLinkMessages(biometricsLinkMessages, { brand, hours })),
    decisionTexts: pickChannels(fillLinkMessages(biometricsDecisionTexts, { brand, hours })),
  };
}
