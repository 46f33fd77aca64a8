import type { OpenRoute } from '../http/route';
import { takeStatus, takeInbound } from './twilio-webhooks';

/** Webhooks of providers. They carry a signature instead of an access token. */
export const providerRoutes: readonly OpenRoute[] = [
  {
    method: 'post',
    path: '/webhooks/twilio/status/{sendId}',
    summary: 'How far a message came',
    answers: { 204: '' },
    serve: takeStatus,
    undocumented: true,
  },
  {
    method: 'post',
    path: '/webhooks/twilio/inbound',
    summary: 'What a person sent',
    answers: { 200: '' },
    serve: takeInbound,
    undocumented: true,
  },
];
