import type { Router } from 'express';
import { z } from 'zod';
import { answerAsPlanned, type GatewayDependencies, newGatewayMessage } from './gateway-message';

const formSchema = z.object({
  from: z.string().min(1),
  to: z.string().regex(/^\d{7,15}$/),
  text: z.string().min(1),
  type: z.enum(['text', 'unicode']),
  ttl: z.coerce.number().int().min(20_000).max(604_800_000),
  'client-ref': z.string().max(100),
  callback: z.url(),
});

const answer = (fields: object) => ({ 'message-count': '1', messages: [fields] });

/** Adds the part of the SMS API of Vonage that the service uses. The secret is the auth token of the inbox. */
export function addVonage(router: Router, dependencies: GatewayDependencies): void {
  router.post('/sms/json', (request, response) => {
    const [, credentials = ''] = /^Basic (.*)$/.exec(request.get('authorization') ?? '') ?? [];
    const [, secret] = Buffer.from(credentials, 'base64').toString().split(':');
    const parsed = formSchema.safeParse(request.body);
    if (secret !== dependencies.authToken) {
      response.json(answer({ status: '4', 'error-text': 'Bad Credentials' }));
      return;
    }
    if (!parsed.success) {
      response.json(answer({ status: '3', 'error-text': 'Invalid parameters' }));
      return;
    }
    const { to, from, text, 'client-ref': reference, callback } = parsed.data;
    const accepted = newGatewayMessage('vonage', { to, from, text, reference, statusCallback: callback });
    answerAsPlanned(dependencies, request, response, accepted, () =>
      answer({ to, status: '0', 'message-id': accepted.id, 'client-ref': reference }),
    );
  });
}
