import type { RequestHandler } from 'express';
import { TwilioProblem } from './twilio-problem';

/** Requires the id and token of the account, as the provider does. */
export function authenticate(accountSid: string, authToken: string): RequestHandler {
  const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return (request, _response, next) => {
    if (request.get('authorization') !== expected) throw new TwilioProblem(401, 20003, 'Authenticate');
    next();
  };
}
