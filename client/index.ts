export { Countersign, type CountersignOptions } from './countersign.ts';
export {
  CountersignConnectionError,
  CountersignError,
  CountersignTimeoutError,
  type ErrorCode,
  isProblem,
} from './errors.ts';
export type { CallOptions, Result } from './operation.ts';
export type { Pages } from './pages.ts';
export {
  type TestEvent,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookRefusal,
  WebhookVerificationError,
} from './verify-webhook.ts';
export type { ObservedStatus, WaitOptions, WaitTarget } from './wait-for-status.ts';
export type * from './generated/schemas.ts';
