/** Limits of the messages to one phone or mailbox within a time window. */
export interface DestinationLimits {
  /** Messages of one tenant. */
  perTenant: number;
  /** Messages of all tenants. */
  total: number;
  /** Messages that each tenant may always send, even if other tenants have used up `total`. */
  guaranteed: number;
}

/** Whether one more message may be sent. `own`: messages that this tenant has sent. `total`: messages that all tenants have sent. */
export const allowsMessage = (
  sent: { own: number; total: number },
  { perTenant, total, guaranteed }: DestinationLimits,
): boolean => sent.own < guaranteed || (sent.own < perTenant && sent.total < total);

/** A prefix of phone numbers is blocked if persons answer too few of the messages to its numbers. */
export interface AnswerRateLimits {
  /** A prefix is checked after this many messages. */
  messages: number;
  /** The minimum share of the messages to a prefix that persons must answer, 0 to 1. If it is 0, a prefix is never blocked. */
  rate: number;
}

/** Whether persons answered too few of the messages to a prefix. This can be a sign of fraud. */
export const isAnswerRateLow = (
  { sent, answered }: { sent: number; answered: number },
  { messages, rate }: AnswerRateLimits,
): boolean => sent >= messages && answered < rate * sent;
