import express, { type Request, type Response, type Router } from 'express';
import { Webhook } from 'standardwebhooks';
import { answerInboxProblem, InboxProblem, parse } from '../api/inbox-problem';
import type { FaultInjector } from '../fault-injector';
import type { MessageStore } from '../message-store';
import { eventBodySchema } from './caller-event';

/** Keys that the events of a tenant may be signed with; undefined when it has no webhook. */
export type KeysOf = (tenant: string) => readonly Buffer[] | undefined;

/** What the server of a caller does: it checks the signature, keeps the event by its id and answers at once. */
export function webhooksRouter(parts: { store: MessageStore; faultInjector: FaultInjector; keysOf: KeysOf }): Router {
  const { store, faultInjector, keysOf } = parts;
  const router = express.Router();
  router.use(express.raw({ type: () => true, limit: '1mb' }));

  router.post('/:tenant', (request, response) => {
    const { tenant } = request.params;
    const keys = keysOf(tenant);
    if (!keys) throw new InboxProblem(404, 'Not Found', `WEBHOOKS has neither ${tenant} nor default.`);
    const body = parse(eventBodySchema, verified(request, keys));
    const keep = (): void => store.addEvent({ tenant, id: request.get('webhook-id') ?? '', ...body });
    const fault = faultInjector.take('webhook');
    switch (fault?.kind) {
      case 'status':
        return void response.sendStatus(fault.status ?? 500);
      case 'timeout':
        return faultInjector.hold(request.socket);
      case 'reset':
        return void request.socket.resetAndDestroy();
      case 'acceptThenDrop':
        keep();
        return void request.socket.destroy();
      case 'acceptThenHang':
        keep();
        return faultInjector.hold(request.socket);
      default:
        keep();
        return taken(response);
    }
  });

  router.use((_request, _response) => {
    throw new InboxProblem(404, 'Not Found', 'Webhooks are posted to /webhooks/{tenant}.');
  });
  router.use(answerInboxProblem);
  return router;
}

const taken = (response: Response): void => void response.sendStatus(204);

/** The body as JSON. Throws unless one of the keys has signed it, and lately. */
function verified(request: Request, keys: readonly Buffer[]): unknown {
  const body = request.body instanceof Buffer ? request.body.toString() : '';
  for (const key of keys)
    try {
      return new Webhook(key.toString('base64')).verify(body, request.headers as Record<string, string>);
    } catch {
      // Another key may fit.
    }
  throw new InboxProblem(401, 'Unauthorized', 'The signature does not fit, or the webhook is not of now.');
}
