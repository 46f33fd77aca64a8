import { type UndocumentedRoute, undocumented } from '../http/route';
import { takeInbound, takeStatus } from './twilio-webhooks';

/** Webhooks of providers. They carry a signature instead of an access token. */
export const providerRoutes: readonly UndocumentedRoute[] = [
  undocumented('post', '/webhooks/twilio/status/{sendId}', takeStatus),
  undocumented('post', '/webhooks/twilio/inbound', takeInbound),
];
