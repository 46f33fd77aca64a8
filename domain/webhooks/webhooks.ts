import { type EventType, eventTypes } from '../events/event';

/** Identifies one webhook of one tenant. */
export interface WebhookTarget {
  tenant: string;
  webhookId: string;
}

/** How many webhooks a tenant can have. When a record is saved, each new event is compared with all webhooks of the tenant. */
export const webhooksPerTenant = 10;

const types = Object.keys(eventTypes) as EventType[];

/** The groups of events, such as `confirmation`: the text before the dot in the type of an event. */
const groups = [...new Set(types.map((type) => type.slice(0, type.indexOf('.'))))];

/** What a webhook can subscribe to: all events, the events of a group such as `confirmation.*`, or one type of event. */
export const eventPatterns = ['*', ...groups.map((group) => `${group}.*`), ...types];

/** The states of a delivery. `Parked`: no more attempts are made. */
export const deliveryStates = ['Waiting', 'Delivered', 'Parked'] as const;

export type DeliveryState = (typeof deliveryStates)[number];

/** Why a server did not answer. `tls`: its certificate is not valid. `private`: its address is not public. */
export const webhookFailures = ['timeout', 'unreachable', 'tls', 'private'] as const;

export type WebhookFailure = (typeof webhookFailures)[number];

/** The outcome of one request: the status and the requested pause of the answer, or why there was no answer. */
export type AttemptAnswer = { status: number; retryAfterMs?: number } | WebhookFailure;

const minuteSeconds = 60;
const hourSeconds = 60 * minuteSeconds;

/**
 * The pauses after the first, second, … failed attempt. The first pauses are short, because most outages are short: the caller deploys a
 * new version.
 */
const pausesSeconds = [
  5,
  30,
  2 * minuteSeconds,
  10 * minuteSeconds,
  30 * minuteSeconds,
  hourSeconds,
  2 * hourSeconds,
  4 * hourSeconds,
];
/** The pause after each later failed attempt. In a long outage, three attempts a day are enough. */
const longestPauseSeconds = 8 * hourSeconds;

/** What an attempt changes. `isGone`: the receiver answered 410, so it wants no more events (Standard Webhooks). */
export interface AttemptResult {
  state: DeliveryState;
  /** Pause before the next attempt. */
  pauseSeconds: number;
  isGone: boolean;
}

/**
 * The result of an attempt. `attempt`: its number, from 1. After every answer except 2xx and 410, the delivery is tried again until
 * `giveUpAt`. Even 401 and 404 may be temporary, such as after a wrong deployment.
 */
export function evaluateAttempt(
  answer: AttemptAnswer,
  { attempt, giveUpAt, now }: { attempt: number; giveUpAt: Date; now: Date },
): AttemptResult {
  const { status = 0, retryAfterMs = 0 } = typeof answer === 'string' ? {} : answer;
  if (status >= 200 && status < 300) return { state: 'Delivered', pauseSeconds: 0, isGone: false };
  if (status === 410) return { state: 'Parked', pauseSeconds: 0, isGone: true };
  const pauseSeconds = Math.max(pausesSeconds[attempt - 1] ?? longestPauseSeconds, retryAfterMs / 1_000);
  const isLast = now.getTime() + pauseSeconds * 1_000 > giveUpAt.getTime();
  return { state: isLast ? 'Parked' : 'Waiting', pauseSeconds, isGone: false };
}
