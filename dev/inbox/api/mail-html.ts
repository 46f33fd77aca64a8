import type { Response } from 'express';
import type { Message } from '../message';
import { InboxProblem } from './inbox-problem';

/**
 * Sends the HTML of a mail, which the page shows in a frame. The HTML cannot run scripts, load anything from the network, or use the
 * cookies and storage of the inbox. Links open in a new tab.
 */
export function sendMailHtml(message: Message, response: Response): void {
  if (message.html === undefined) throw new InboxProblem(404, 'Not Found', 'This message has no HTML.');
  response
    .set({
      'content-security-policy':
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; " +
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .type('html')
    .send(`<!doctype html><base target="_blank"><style>:root{color-scheme:light}</style>${message.html}`);
}
