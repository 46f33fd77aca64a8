import { type UndocumentedRoute, undocumentedRoute } from '../http/route';
import { receiveInbound, receiveStatus } from './twilio-requests';

/** Requests of providers. They have a signature instead of an access token. */
export const providerRoutes: readonly UndocumentedRoute[] = [
  undocumentedRoute('post', '/webhooks/twilio/status/{sendId}', receiveStatus, 'rejected'),
  undocumentedRoute('post', '/webhooks/twilio/inbound', receiveInbound, 'rejected'),
];
