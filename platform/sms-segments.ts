import { SegmentedMessage } from 'sms-segments-calculator';

/**
 * How many segments an SMS has: each is billed as one message. A segment has 160 characters of the GSM alphabet (153 in a longer
 * text), or 70 (67) if one character is outside of it, such as `ã`.
 */
export const smsSegments = (text: string): number => new SegmentedMessage(text).segmentsCount;

const capacities = { gsm: { alone: 160, inLonger: 153 }, unicode: { alone: 70, inLonger: 67 } };

/** Characters that fit in so many segments. `unicode`: one of them is outside the GSM alphabet. */
export function charactersIn(segments: number, alphabet: keyof typeof capacities): number {
  const { alone, inLonger } = capacities[alphabet];
  return segments === 1 ? alone : segments * inLonger;
}
