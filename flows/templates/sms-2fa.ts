import type { Template } from '../../domain/flows/definition';
import { yesNoReplies } from './yes-no';

/**
 * The texts have only letters of the GSM alphabet (no ã, á, í), so that the SMS has one segment. NÃO and SÍ are outside of this alphabet, so
 * the texts ask for the numbers of the replies. The words of the replies also count.
 */
export const smsSecondFactorTemplate: Template = {
  name: 'sms-2fa',
  channels: ['sms'],
  ask: 'reply',
  message: {
    'pt-BR': {
      body: '{{brand}}: recebemos agora um cadastro com este celular. É seu? Responda 1 se for seu ou 2 se for de outra pessoa.',
    },
    en: { body: '{{brand}}: are you signing up right now? Reply YES to confirm, or NO if it was not you.' },
    es: {
      body: '{{brand}}: recibimos ahora un registro con este celular. ¿Es suyo? Responda 1 si es suyo o 2 si es de otra persona.',
    },
  },
  options: yesNoReplies,
};
