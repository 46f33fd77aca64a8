/**
 * What the newest messages to one country say about a provider. `failures`: how many failed one after the other. `openUntil`: in milliseconds
 * since 1970; until then, messages go to the other providers first.
 */
export interface Breaker {
  failures: number;
  openUntil?: number;
}

/**
 * With fewer failures in a row, one slow network path or a few refused texts would turn a working provider off. Each failure costs a message
 * some seconds at most, because the next provider gets it.
 */
const failuresToOpen = 5;
/** Deployments of providers and short faults of the network end within this time. In a longer outage, one message in this time is late. */
const openMs = 30_000;

export const closedBreaker: Breaker = { failures: 0 };

/** Whether messages go to other providers first. */
export const isOpen = ({ openUntil }: Breaker, nowMs: number): boolean => openUntil !== undefined && nowMs < openUntil;

/** The breaker after a message that the provider accepted, or that it failed to accept. */
export function afterMessage({ failures }: Breaker, isAccepted: boolean, nowMs: number): Breaker {
  if (isAccepted) return closedBreaker;
  return { failures: failures + 1, ...(failures + 1 >= failuresToOpen && { openUntil: nowMs + openMs }) };
}

/**
 * The breaker when a message is sent by the provider. If the breaker has been open, it is half-open now: this message finds out whether the
 * provider works again, and until its outcome is known, other messages go elsewhere first.
 */
export const beforeMessage = (breaker: Breaker, nowMs: number): Breaker =>
  breaker.openUntil === undefined ? breaker : { ...breaker, openUntil: nowMs + openMs };
