import { z } from 'zod';
import { deliveryStates, webhookFailures } from '../../domain/webhooks/webhooks';
import { exampleOf, named, sample } from '../http/openapi/schema-of';
import { sensitive, nextPage, utcTime } from '../http/response-fields';

const webhookFields = {
  id: z.uuid(),
  // The URL may contain a key of the caller's server.
  url: sensitive(z.string(), 'webhooks:manage'),
  events: z.array(z.string()),
  status: z
    .enum(['enabled', 'disabled', 'gone'])
    .describe('`gone`: your server answered 410, so the service disabled the webhook'),
  createdAt: utcTime,
  earlierSecretUntil: utcTime.optional().describe('Until this time, the earlier secret also signs each event'),
};

const webhookExample = {
  id: '7c2d1e0f-4b5a-4c6d-9e8f-0a1b2c3d4e5f',
  url: 'https://hooks.example.com/countersign',
  events: ['confirmation.*', 'flow_run.finished'],
  status: 'enabled' as const,
  createdAt: '2026-01-31T12:00:00.000Z',
};

export const webhook = named('Webhook', z.strictObject(webhookFields), webhookExample);

export const webhookList = named('WebhookList', z.strictObject({ webhooks: z.array(webhook) }), {
  webhooks: [webhookExample],
});

/** A webhook with its new secret. No other response shows the secret. */
export const webhookWithSecret = named(
  'WebhookWithSecret',
  z.strictObject({ ...webhookFields, secret: sensitive(z.string(), 'webhooks:manage') }),
  { ...webhookExample, secret: 'whsec_…' },
);

export const delivery = named(
  'WebhookDelivery',
  z.strictObject({
    id: z.uuid(),
    eventId: z.string().describe('The value of the header `webhook-id` in the request to your server'),
    type: z.string(),
    transactionId: z.uuid().optional(),
    sequence: z.int().optional(),
    state: named('WebhookDeliveryState', z.enum(deliveryStates)).describe(
      '`Parked`: it is not sent again until you request it',
    ),
    attempts: z.int(),
    createdAt: utcTime,
    lastAttemptAt: utcTime.optional(),
    nextAttemptAt: utcTime.optional(),
    response: z
      .strictObject({ status: z.int(), body: z.string() })
      .optional()
      .describe('The last answer of your server'),
    failure: z.enum(webhookFailures).optional().describe('Why your server did not answer the last attempt'),
  }),
  {
    id: '2e3f4a5b-6c7d-4e8f-9a0b-1c2d3e4f5a6b',
    eventId: `${sample.transactionId}.3`,
    type: 'confirmation.succeeded',
    transactionId: sample.transactionId,
    sequence: 3,
    state: 'Waiting',
    attempts: 1,
    createdAt: '2026-01-31T12:01:30.000Z',
    lastAttemptAt: '2026-01-31T12:01:30.000Z',
    nextAttemptAt: '2026-01-31T12:01:35.000Z',
    response: { status: 500, body: 'out of service' },
  },
);

export const deliveryList = named(
  'WebhookDeliveryList',
  z.strictObject({ deliveries: z.array(delivery), ...nextPage }),
  { deliveries: [exampleOf(delivery)] },
);
