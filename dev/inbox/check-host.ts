import type { RequestHandler } from 'express';
import { createHostCheck } from '../../api/http/check-host';
import { InboxProblem } from './api/inbox-problem';

/** Creates a middleware that applies the rule of the API for Host headers, because the inbox shows codes and accepts replies. */
export function checkHost(listenHost: string): RequestHandler {
  const check = createHostCheck(listenHost);
  return (request, _response, next) => {
    const issue = check(request);
    if (issue === 'host_invalid')
      throw new InboxProblem(400, 'Bad Request', 'The Host header is missing, repeated or invalid. Send it once.');
    if (issue)
      throw new InboxProblem(421, 'Misdirected Request', 'Use localhost, 127.0.0.1 or the host in INBOX_HOST.');
    next();
  };
}
