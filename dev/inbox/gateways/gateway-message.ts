import type { Request, Response } from 'express';
import type { Delivery } from '../delivery';
import type { FailureInjector } from '../failure-injector';
import { type GatewayName, type Message, newSid } from '../message';
import type { MessageStore } from '../message-store';

export interface GatewayDependencies {
  store: MessageStore;
  delivery: Delivery;
  failureInjector: FailureInjector;
  authToken: string;
}

/** The error code of a message to an unreachable phone. */
const unreachableCode = 1;

/** A message that a gateway has accepted. `to`: digits. `reference`: the id that the sender gave to it. */
export function newGatewayMessage(
  gateway: GatewayName,
  { to, ...fields }: Pick<Message, 'to' | 'from' | 'text' | 'reference' | 'statusCallback'>,
): Message {
  const now = new Date().toISOString();
  return {
    ...{ id: newSid('SM'), channel: 'sms', direction: 'outbound', gateway, to: `+${to}`, ...fields },
    ...{ status: 'queued', createdAt: now, updatedAt: now },
  };
}

/** Accepts a message and answers with `body`, or fails if a failure is planned for SMS. Like most gateways, it does not detect repeats. */
export function answerAsPlanned(
  { store, delivery, failureInjector }: GatewayDependencies,
  request: Request,
  response: Response,
  message: Message,
  body: () => object,
): void {
  const failure = failureInjector.take('sms');
  const kind = failure?.kind;
  if (kind === 'status') {
    response.status(failure?.status ?? 500).json({});
    return;
  }
  if (kind === 'timeout') return failureInjector.hold(request.socket);
  if (kind === 'reset') return void request.socket.resetAndDestroy();
  store.add(message);
  delivery.start(message.id, kind === 'undelivered' ? (failure?.code ?? unreachableCode) : undefined);
  if (kind === 'acceptThenDrop') return void request.socket.destroy();
  if (kind === 'acceptThenHang') return failureInjector.hold(request.socket);
  response.json(body());
}
