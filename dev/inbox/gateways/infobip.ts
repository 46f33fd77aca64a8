import type { Router } from 'express';
import { z } from 'zod';
import { answerAsPlanned, type GatewayDependencies, newGatewayMessage } from './gateway-message';
import { infobipStatus } from './reports';

const requestSchema = z.object({
  messages: z
    .array(
      z.object({
        sender: z.string().min(1),
        destinations: z
          .array(z.object({ to: z.string().regex(/^\d{7,15}$/), messageId: z.string().max(200) }))
          .length(1),
        content: z.object({ text: z.string().min(1) }),
        options: z.object({
          validityPeriod: z.object({ amount: z.number().int().positive(), timeUnit: z.enum(['SECONDS', 'MINUTES']) }),
        }),
        webhooks: z.object({ delivery: z.object({ url: z.url() }) }),
      }),
    )
    .length(1),
});

/** Adds the part of the SMS API of Infobip that the service uses. The API key is the auth token of the inbox. */
export function addInfobip(router: Router, dependencies: GatewayDependencies): void {
  const { store, authToken } = dependencies;
  router.use(['/sms/3/messages', '/sms/3/logs'], (request, response, next) => {
    if (request.get('authorization') === `App ${authToken}`) next();
    else response.status(401).json({ requestError: { serviceException: { messageId: 'UNAUTHORIZED' } } });
  });
  router.post('/sms/3/messages', (request, response) => {
    const parsed = requestSchema.safeParse(request.body);
    const [message] = parsed.data?.messages ?? [];
    const [destination] = message?.destinations ?? [];
    if (!message || !destination) {
      response.status(400).json({ requestError: { serviceException: { messageId: 'BAD_REQUEST' } } });
      return;
    }
    const accepted = newGatewayMessage('infobip', {
      to: destination.to,
      from: message.sender,
      text: message.content.text,
      reference: destination.messageId,
      statusCallback: message.webhooks.delivery.url,
    });
    answerAsPlanned(dependencies, request, response, accepted, () => ({
      messages: [
        { messageId: destination.messageId, status: infobipStatus({ status: 'queued' }), destination: destination.to },
      ],
    }));
  });
  router.get('/sms/3/logs', (request, response) => {
    const { messageId } = request.query;
    const found = store.newestFirst().filter((one) => one.gateway === 'infobip' && one.reference === messageId);
    response.json({
      results: found.map((one) => ({ messageId: one.reference, status: infobipStatus(one), to: one.to.slice(1) })),
    });
  });
}
