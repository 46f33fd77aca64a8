/** When a provider counts as slow on a channel: see docs/messaging.md. */
export interface SlowRule {
  /** A message that is delivered later than this is late. */
  seconds: number;
  /** The share of late messages, 0 to 1, from which on the provider is slow. 1: never. */
  share: number;
  /** With fewer messages, the share says nothing. */
  messages: number;
  /** How far back messages count. */
  minutes: number;
}

/** The messages of one provider to one country in the last minutes. A message that is neither delivered nor late yet is not counted. */
export interface Measured {
  delivered: number;
  late: number;
  /** Messages that are delivered or late. */
  judged: number;
}

/** What the deliveries of a provider to one country say about it. */
export interface Pace {
  isSlow: boolean;
  /** Whether it has ever reported a delivery. If not, messages without a report are not late: it reports nothing. */
  reportsDeliveries: boolean;
}

export const unknownPace: Pace = { isSlow: false, reportsDeliveries: false };

/**
 * The pace after a measure. A slow provider becomes usual again only with half of the share that made it slow, or without messages: in
 * between, it would change with each measure.
 */
export function paceAfter({ isSlow, reportsDeliveries }: Pace, measured: Measured, rule: SlowRule): Pace {
  const reports = reportsDeliveries || measured.delivered > 0;
  const share = measured.judged === 0 ? 0 : measured.late / measured.judged;
  const isSlowNow = isSlow ? share > rule.share / 2 : measured.judged >= rule.messages && share > rule.share;
  return { isSlow: reports && isSlowNow, reportsDeliveries: reports };
}

/**
 * The share of the messages that keep the usual order of the providers, although one is slow. Without them, nobody would see that it is no
 * longer slow. They are late at worst.
 */
const probedShare = 0.05;

/** Whether a message keeps the usual order. `chance`: from 0 to 1, the same for each attempt to send the message. */
export const isProbe = (chance: number): boolean => chance < probedShare;
