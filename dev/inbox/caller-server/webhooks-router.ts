import express, { type Request, type Router } from 'express';
import { Webhook } from 'standardwebhooks';
import { answerInboxProblem, InboxProblem, parseInput } from '../api/inbox-problem';
import type { FailureInjector } from '../failure-injector';
import type { MessageStore } from '../message-store';
import { eventBodySchema } from './caller-event';

/** Returns the keys that sign the events of a tenant; undefined for a tenant without a webhook. */
export type KeysOf = (tenant: string) => readonly Buffer[] | undefined;

/** Simulates the server of a caller: checks the signature, stores the event by its id and responds at once. */
export function webhooksRouter(dependencies: {
  store: MessageStore;
  failureInjector: FailureInjector;
  keysOf: KeysOf;
}): Router {
  const { store, failureInjector, keysOf } = dependencies;
  const router = express.Router();
  router.use(express.raw({ type: () => true, limit: '1mb' }));

  router.post('/:tenant', (request, response) => {
    const { tenant } = request.params;
    const keys = keysOf(tenant);
    if (!keys) throw new InboxProblem(404, 'Not Found', `WEBHOOKS has neither ${tenant} nor default.`);
    const body = parseInput(eventBodySchema, verifyBody(request, keys));
    const saveEvent = (): void => store.addEvent({ tenant, id: request.get('webhook-id') ?? '', ...body });
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

/** The body as JSON. Throws unless it has a recent signature with one of the keys. */
function verifyBody(request: Request, keys: readonly Buffer[]): unknown {
  const body = request.body instanceof Buffer ? request.body.toString() : '';
  for (const key of keys)
    try {
      return new Webhook(key.toString('base64')).verify(body, request.headers as Record<string, string>);
    } catch {
      // Another key may match.
    }
  throw new InboxProblem(401, 'Unauthorized', 'The signature does not match, or the timestamp is too old.');
}
