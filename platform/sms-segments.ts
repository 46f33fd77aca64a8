import { SegmentedMessage } from 'sms-segments-calculator';

/**
 * How many segments an SMS has. Each segment is billed as one message. A segment has 160 characters of the GSM alphabet, or 153 if the SMS
 * has several segments. If one character of the SMS is outside of this alphabet, such as `ã`, a segment has only 70 characters, or 67 if
 * the SMS has several segments.
 */
export const smsSegments = (text: string): number => new SegmentedMessage(text).segmentsCount;

/** How many characters a segment has. `alone`: if the SMS has one segment. `inLonger`: if the SMS has several segments. */
const capacities = { gsm: { alone: 160, inLonger: 153 }, unicode: { alone: 70, inLonger: 67 } };

/** How many characters fit into this number of segments. `unicode`: at least one character is not in the GSM alphabet. */
export function charactersIn(segments: number, alphabet: keyof typeof capacities): number {
  const { alone, inLonger } = capacities[alphabet];
  return segments === 1 ? alone : segments * inLonger;
}
