import express, { type Router } from 'express';
import { z } from 'zod';
import { type FailureInjector, injectedFailureSchema } from '../failure-injector';
import { simulationRequest } from '../../flow/simulator/answer-simulation';
import type { Simulator } from '../../flow/simulator/simulator';
import { callActions, type Calls } from '../calls/calls';
import type { MessageStore } from '../message-store';
import type { EventStream } from './event-stream';
import { answerInboxProblem, InboxProblem, parseInput } from './inbox-problem';
import { sendMailHtml } from './mail-html';
import { messageQuerySchema, selectMessages } from './message-query';
import { toConversationView, toView } from './message-view';
import { type Person, replySchema } from './person';

const eventQuerySchema = z.object({
  tenant: z.string().optional(),
  transactionId: z.string().optional(),
  limit: z.coerce.number().int().min(1).optional(),
});

const callActionSchema = z.strictObject({ action: z.enum(callActions) });
const callSettingsSchema = z.strictObject({ answersAtOnce: z.boolean() });

const webhookSecretSchema = z.strictObject({ secret: z.string().startsWith('whsec_') });

/** The API of the inbox, for the page of the inbox, the page /flows and tests. */
export function inboxRouter(dependencies: {
  store: MessageStore;
  failureInjector: FailureInjector;
  person: Person;
  calls: Calls;
  /** Tells open pages that messages have changed. */
  pageUpdates: EventStream;
  /** Simulates flows for the page /flows. */
  simulator: Pick<Simulator, 'simulate'>;
  /** Address of the API of Countersign. The page shows how to call this API. */
  applicationUrl: string;
}): Router {
  const { store, failureInjector, person, calls, pageUpdates, simulator, applicationUrl } = dependencies;
  const router = express.Router();
  router.use(express.json());
  router.use((_request, response, next) => {
    response.set('cache-control', 'no-store');
    next();
  });

  router.get('/messages', (request, response) => {
    const query = parseInput(messageQuerySchema, request.query);
    const view = query.direction === 'all' ? toConversationView : toView;
    response.json(selectMessages(store.newestFirst(), query).map(view));
  });
  router.delete('/messages', (_request, response) => {
    store.clear();
    response.sendStatus(204);
  });
  router.get('/messages/:id', (request, response) => {
    response.json(toView(person.findMessage(request.params.id)));
  });
  router.get('/messages/:id/html', (request, response) => {
    sendMailHtml(person.findMessage(request.params.id), response);
  });
  router.post('/messages/:id/reply', (request, response) => {
    person.findMessage(request.params.id);
    response.status(202).json(person.reply(request.params.id, parseInput(replySchema, request.body)));
  });
  router.post('/messages/:id/read', (request, response) => {
    response.json(toView(person.markAsRead(request.params.id)));
  });

  router.post('/messages/:id/call', async (request, response) => {
    const { action } = parseInput(callActionSchema, request.body);
    if (!(await calls.act(person.findMessage(request.params.id), action)))
      throw new InboxProblem(409, 'Not Possible Now', `The call does not allow \`${action}\` now.`);
    response.json(toView(person.findMessage(request.params.id)));
  });
  router.get('/calls', (_request, response) => {
    response.json({ answersAtOnce: calls.answersAtOnce });
  });
  router.put('/calls', (request, response) => {
    calls.answersAtOnce = parseInput(callSettingsSchema, request.body).answersAtOnce;
    response.json({ answersAtOnce: calls.answersAtOnce });
  });

  router.get('/faults', (_request, response) => {
    response.json(failureInjector.plannedFailures());
  });
  router.put('/faults', (request, response) => {
    failureInjector.replace(parseInput(z.array(injectedFailureSchema).max(1_000), request.body));
    response.json(failureInjector.plannedFailures());
  });
  router.delete('/faults', (_request, response) => {
    failureInjector.clear();
    response.sendStatus(204);
  });

  router.get('/caller-events', (request, response) => {
    const { tenant, transactionId, limit } = parseInput(eventQuerySchema, request.query);
    const callerEvents = store
      .eventsNewestFirst()
      .filter((event) => tenant === undefined || event.tenant === tenant)
      .filter((event) => transactionId === undefined || event.transactionId === transactionId);
    response.json(callerEvents.slice(0, limit));
  });

  router.put('/webhook-secrets/:tenant', (request, response) => {
    store.setWebhookSecret(request.params.tenant, parseInput(webhookSecretSchema, request.body).secret);
    response.sendStatus(204);
  });

  router.get('/application', (_request, response) => {
    response.json({ url: applicationUrl });
  });
  router.get('/events', pageUpdates.handler);
  router.post('/flow-simulations', async (request, response) => {
    response.json(await simulator.simulate(parseInput(simulationRequest, request.body)));
  });

  router.use(() => {
    throw new InboxProblem(404, 'Not Found', 'The inbox API has no such path.');
  });
  router.use(answerInboxProblem);
  return router;
}
