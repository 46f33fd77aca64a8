import { type UndocumentedRoute, undocumentedRoute } from '../http/route';
import { receiveInbound, receiveStatus } from './twilio-webhooks';

/** Webhooks of providers. They carry a signature instead of an access token. */
export const providerRoutes: readonly UndocumentedRoute[] = [
  undocumentedRoute('post', '/webhooks/twilio/status/{sendId}', receiveStatus, 'rejected'),
  undocumentedRoute('post', '/webhooks/twilio/inbound', receiveInbound, 'rejected'),
];
