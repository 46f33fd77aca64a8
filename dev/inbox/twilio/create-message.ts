import type { RequestHandler, Response } from 'express';
import type { InjectedFault } from '../fault-injector';
import type { Message } from '../message';
import { readMessageRequest } from './message-request';
import { toMessageResource } from './message-resource';
import { TwilioProblem } from './twilio-problem';
import type { TwilioDependencies } from './twilio-dependencies';

/** What a carrier reports when a number cannot be reached, by channel. */
const unreachable = { sms: 30_003, whatsapp: 63_024, email: undefined };

/** Accepts one message, or fails in the way that was planned for its channel. */
export function createMessage({ store, delivery, faultInjector, accountSid }: TwilioDependencies): RequestHandler {
  const accept = (message: Message, failureCode?: number): void => {
    store.add(message);
    delivery.begin(message.id, failureCode);
  };
  return (request, response) => {
    const message = readMessageRequest(request.body, (sid) => store.findContent(sid));
    const fault = faultInjector.take(message.channel);
    switch (fault?.kind) {
      case 'status':
        throw refusal(fault);
      case 'timeout':
        return faultInjector.hold(request.socket);
      case 'reset':
        return void request.socket.resetAndDestroy();
      case 'acceptThenDrop':
        accept(message);
        return void request.socket.destroy();
      case 'acceptThenHang':
        accept(message);
        return faultInjector.hold(request.socket);
      case 'undelivered':
        accept(message, fault.code ?? unreachable[message.channel]);
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

function refusal(fault: InjectedFault): TwilioProblem {
  const status = fault.status ?? 500;
  if (status === 429) return new TwilioProblem(429, fault.code ?? 20_429, 'Too Many Requests');
  if (status >= 500) return new TwilioProblem(status, fault.code ?? 20_500, 'An internal server error has occurred');
  return new TwilioProblem(status, fault.code ?? 20_001, 'The message was refused');
}
