import type { RequestHandler } from 'express';
import { acceptAsPlanned } from '../accept-as-planned';
import type { InjectedFailure } from '../failure-injector';
import { readCallRequest, toCallResource } from './call-resource';
import { readMessageRequest } from './message-request';
import { toMessageResource } from './message-resource';
import { TwilioProblem } from './twilio-problem';
import type { TwilioDependencies } from './twilio-dependencies';

/** The error code for an unreachable number, by channel. */
const unreachableCodes = { sms: 30_003, whatsapp: 63_024, voice: 30_003, email: undefined };

/** Accepts one message, or fails if a failure is planned for its channel. */
export const createMessage =
  (dependencies: TwilioDependencies): RequestHandler =>
  (request, response) => {
    const message = readMessageRequest(request.body, (sid) => dependencies.store.findTemplate(sid));
    acceptAsPlanned(dependencies, request, message, {
      accept: () => void response.status(201).json(toMessageResource(message, dependencies.accountSid)),
      refuse: (failure) => {
        throw toProblem(failure);
      },
      unreachableCode: unreachableCodes[message.channel],
    });
  };

/** Makes one call, or fails if a failure is planned for calls. */
export const createCall =
  ({ calls, ...dependencies }: TwilioDependencies): RequestHandler =>
  (request, response) => {
    const call = readCallRequest(request.body);
    acceptAsPlanned({ ...dependencies, delivery: calls }, request, call, {
      accept: () => void response.status(201).json(toCallResource(call, dependencies.accountSid)),
      refuse: (failure) => {
        throw toProblem(failure);
      },
      unreachableCode: unreachableCodes.voice,
    });
  };

function toProblem(failure: InjectedFailure): TwilioProblem {
  const status = failure.status ?? 500;
  if (status === 429) return new TwilioProblem(429, failure.code ?? 20_429, 'Too Many Requests');
  if (status >= 500) return new TwilioProblem(status, failure.code ?? 20_500, 'An internal server error has occurred');
  return new TwilioProblem(status, failure.code ?? 20_001, 'The message was rejected');
}
