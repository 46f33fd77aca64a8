import { SegmentedMessage } from 'sms-segments-calculator';

/**
 * How many segments an SMS has: each is billed as one message. A segment has 160 characters of the GSM alphabet (153 in a longer
 * text), or 70 (67) if one character is outside of it, such as `ã`.
 */
export const smsSegments = (text: string): number => new SegmentedMessage(text).segmentsCount;
