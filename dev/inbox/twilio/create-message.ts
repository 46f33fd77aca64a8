import type { RequestHandler, Response } from 'express';
import type { InjectedFailure } from '../failure-injector';
import type { Message } from '../message';
import { readMessageRequest } from './message-request';
import { toMessageResource } from './message-resource';
import { TwilioProblem } from './twilio-problem';
import type { TwilioDependencies } from './twilio-dependencies';

/** The error code for an unreachable number, by channel. */
const unreachableCodes = { sms: 30_003, whatsapp: 63_024, email: undefined };

/** Accepts one message, or fails if a failure is planned for its channel. */
export function createMessage({ store, delivery, failureInjector, accountSid }: TwilioDependencies): RequestHandler {
  const accept = (message: Message, failureCode?: number): void => {
    store.add(message);
    delivery.start(message.id, failureCode);
  };
  return (request, response) => {
    const message = readMessageRequest(request.body, (sid) => store.findTemplate(sid));
    const failure = failureInjector.take(message.channel);
    switch (failure?.kind) {
      case 'status':
        throw toProblem(failure);
      case 'timeout':
        return failureInjector.hold(request.socket);
      case 'reset':
        return void request.socket.resetAndDestroy();
      case 'acceptThenDrop':
        accept(message);
        return void request.socket.destroy();
      case 'acceptThenHang':
        accept(message);
        return failureInjector.hold(request.socket);
      case 'undelivered':
        accept(message, failure.code ?? unreachableCodes[message.channel]);
        return answer(response, message);
      case undefined:
        accept(message);
        return answer(response, message);
    }
  };

  function answer(response: Response, message: Message): void {
    response.status(201).json(toMessageResource(message, accountSid));
  }
}

function toProblem(failure: InjectedFailure): TwilioProblem {
  const status = failure.status ?? 500;
  if (status === 429) return new TwilioProblem(429, failure.code ?? 20_429, 'Too Many Requests');
  if (status >= 500) return new TwilioProblem(status, failure.code ?? 20_500, 'An internal server error has occurred');
  return new TwilioProblem(status, failure.code ?? 20_001, 'The message was rejected');
}
