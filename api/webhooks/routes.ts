import { deliveryStates } from '../../domain/webhooks/webhooks';
import { pageParameters } from '../http/page-query';
import { type ApiRoute, type BodySettings, withBody } from '../http/route';
import { listWebhookDeliveries, redeliverEvent, sendTestEvent } from './deliveries';
import * as responses from './responses';
import { rotationBody, webhookBody } from './webhook-body';
import * as handlers from './webhooks';

const webhookProblems = ['webhook_not_found'] as const;
const path = '/v1/webhooks/{webhookId}';
const scope = 'webhooks:manage';

/** Webhooks of a tenant, and the deliveries of events to them; not in SPEC. */
export const webhookRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'createWebhook',
    method: 'post',
    path: '/v1/webhooks',
    scope,
    ignoresKey: true,
    summary: 'Create a webhook. The response has its secret',
    body: ({ config }: BodySettings) => webhookBody(config),
    example: { url: 'https://hooks.example.com/countersign', events: ['confirmation.*', 'flow_run.finished'] },
    responses: { 201: responses.webhookWithSecret },
    provides: { webhookId: '$response.body#/id' },
    problems: ['webhook_limit_reached'],
    handler: handlers.createWebhook,
  }),
  {
    operationId: 'listWebhooks',
    method: 'get',
    path: '/v1/webhooks',
    scope,
    summary: 'List the webhooks, oldest first',
    responses: { 200: responses.webhookList },
    handler: handlers.getWebhooks,
  },
  {
    operationId: 'getWebhook',
    method: 'get',
    path,
    scope,
    summary: 'Get a webhook',
    responses: { 200: responses.webhook },
    problems: webhookProblems,
    handler: handlers.getWebhook,
  },
  withBody({
    operationId: 'putWebhook',
    method: 'put',
    path,
    scope,
    summary: 'Change the URL and events of a webhook, or disable or enable it',
    body: ({ config }: BodySettings) => webhookBody(config),
    example: { url: 'https://hooks.example.com/countersign', events: ['*'], enabled: true },
    responses: { 200: responses.webhook },
    problems: webhookProblems,
    handler: handlers.putWebhook,
  }),
  withBody({
    operationId: 'rotateWebhookSecret',
    method: 'post',
    path: `${path}/secret`,
    scope,
    ignoresKey: true,
    summary: 'Create a new secret. For some time, the earlier secret also signs each event',
    body: () => rotationBody,
    example: { earlierSecretSeconds: 86_400 },
    responses: { 201: responses.webhookWithSecret },
    problems: webhookProblems,
    handler: handlers.rotateSecret,
  }),
  {
    operationId: 'testWebhook',
    method: 'post',
    path: `${path}/test`,
    scope,
    ignoresKey: true,
    summary: 'Send a test event, with the type webhook.test',
    responses: { 201: responses.delivery },
    problems: [...webhookProblems, 'webhook_disabled'],
    handler: sendTestEvent,
  },
  {
    operationId: 'listWebhookDeliveries',
    method: 'get',
    path: `${path}/deliveries`,
    scope,
    summary: 'List the deliveries of a webhook, newest first, with the last response of your server',
    parameters: [
      { name: 'state', in: 'query', description: 'Only this state', schema: { type: 'string', enum: deliveryStates } },
      ...pageParameters,
    ],
    responses: { 200: responses.deliveryList },
    provides: { deliveryId: '$response.body#/deliveries/0/id' },
    problems: [...webhookProblems, 'validation_failed'],
    handler: listWebhookDeliveries,
  },
  {
    operationId: 'redeliverEvent',
    method: 'post',
    path: `${path}/deliveries/{deliveryId}/redeliver`,
    scope,
    ignoresKey: true,
    summary: 'Repeat a delivery that is Delivered or Parked',
    responses: { 201: responses.delivery },
    problems: [...webhookProblems, 'webhook_disabled', 'delivery_not_found', 'delivery_waiting'],
    handler: redeliverEvent,
  },
  {
    operationId: 'deleteWebhook',
    method: 'delete',
    path,
    scope,
    ignoresKey: true,
    summary: 'Delete a webhook and its deliveries',
    responses: { 204: 'The webhook is deleted' },
    problems: webhookProblems,
    handler: handlers.removeWebhook,
  },
];
