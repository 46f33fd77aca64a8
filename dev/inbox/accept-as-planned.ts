import type { Request } from 'express';
import type { Delivery } from './delivery';
import type { FailureInjector, InjectedFailure } from './failure-injector';
import type { Message } from './message';
import type { MessageStore } from './message-store';

export interface AcceptDependencies {
  store: MessageStore;
  delivery: Pick<Delivery, 'start'>;
  failureInjector: FailureInjector;
}

/** How a provider answers. `unreachableCode`: its error code for an unreachable phone. */
export interface Answers {
  accept: () => void;
  refuse: (failure: InjectedFailure) => void;
  unreachableCode: number | undefined;
}

/** Accepts a message and answers, or fails if a failure is planned for its channel. Like most providers, it does not detect repeats. */
export function acceptAsPlanned(
  { store, delivery, failureInjector }: AcceptDependencies,
  request: Request,
  message: Message,
  { accept, refuse, unreachableCode }: Answers,
): void {
  const failure = failureInjector.take(message.channel);
  if (failure?.kind === 'status') return refuse(failure);
  if (failure?.kind === 'timeout') return failureInjector.hold(request.socket);
  if (failure?.kind === 'reset') return void request.socket.resetAndDestroy();
  store.add(message);
  delivery.start(message.id, failure?.kind === 'undelivered' ? (failure.code ?? unreachableCode) : undefined);
  if (failure?.kind === 'acceptThenDrop') return void request.socket.destroy();
  if (failure?.kind === 'acceptThenHang') return failureInjector.hold(request.socket);
  accept();
}
