import express, { type Request, type Router } from 'express';
import { Webhook } from 'standardwebhooks';
import { answerInboxProblem, InboxProblem, parseInput } from '../api/inbox-problem';
import type { FailureInjector } from '../failure-injector';
import type { MessageStore } from '../message-store';
import { eventBodySchema } from './caller-event';

/** Simulates the server of a caller: checks the signature, stores the event by its id and responds at once. */
export function webhooksRouter(dependencies: { store: MessageStore; failureInjector: FailureInjector }): Router {
  const { store, failureInjector } = dependencies;
  const router = express.Router();
  router.use(express.raw({ type: () => true, limit: '1mb' }));

  router.post('/:tenant', (request, response) => {
    const { tenant } = request.params;
    const secret = store.findWebhookSecret(tenant);
    if (secret === undefined) {
      const detail = `The inbox has no secret for ${tenant}. Set it with PUT /api/webhook-secrets/${tenant}.`;
      throw new InboxProblem(404, 'Not Found', detail);
    }
    const event = parseInput(eventBodySchema, verifyBody(request, secret));
    const saveEvent = (): void => store.addEvent({ tenant, ...event });
    const failure = failureInjector.take('webhook');
    switch (failure?.kind) {
      case 'status':
        return void response.sendStatus(failure.status ?? 500);
      case 'timeout':
        return failureInjector.hold(request.socket);
      case 'reset':
        return void request.socket.resetAndDestroy();
      case 'acceptThenDrop':
        saveEvent();
        return void request.socket.destroy();
      case 'acceptThenHang':
        saveEvent();
        return failureInjector.hold(request.socket);
      default:
        saveEvent();
        return void response.sendStatus(204);
    }
  });

  router.use((_request, _response) => {
    throw new InboxProblem(404, 'Not Found', 'Webhooks are posted to /webhooks/{tenant}.');
  });
  router.use(answerInboxProblem);
  return router;
}

/** The body as JSON. Throws InboxProblem if the request has no recent signature with this secret. */
function verifyBody(request: Request, secret: string): unknown {
  const body = request.body instanceof Buffer ? request.body.toString() : '';
  try {
    return new Webhook(secret).verify(body, request.headers as Record<string, string>);
  } catch {
    throw new InboxProblem(401, 'Unauthorized', 'The signature does not match, or the timestamp is too old.');
  }
}
