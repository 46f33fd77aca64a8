import type { Template } from '../../domain/flows/definition';
import type { Language } from '../../domain/transactions/input';
import { doing, type Purpose, templateNameOf } from './purposes';
import { yesNoReplies } from './yes-no';

/** What was received from the phone: a noun, because "você" is outside of the GSM alphabet. */
const received: Readonly<Record<Purpose, Record<Exclude<Language, 'en'>, string>>> = {
  'sign-up': { 'pt-BR': 'um cadastro', es: 'un registro' },
  'sign-in': { 'pt-BR': 'um acesso', es: 'un acceso' },
  payment: { 'pt-BR': 'um pagamento', es: 'un pago' },
  contract: { 'pt-BR': 'um contrato', es: 'un contrato' },
  'change-of-data': { 'pt-BR': 'um pedido para mudar dados', es: 'un cambio de datos' },
};

/**
 * The texts have only letters of the GSM alphabet (no ã, á, í), so that the SMS has one segment. NÃO and SÍ are outside of this alphabet, so
 * the texts ask for the numbers of the replies. The words of the replies also count.
 */
export const smsSecondFactorTemplate = (purpose: Purpose): Template => ({
  name: templateNameOf('sms-2fa', purpose),
  channels: ['sms'],
  ask: 'reply',
  message: {
    'pt-BR': {
      body: `{{brand}}: recebemos agora ${received[purpose]['pt-BR']} com este celular. É seu? Responda 1 se for seu ou 2 se for de outra pessoa.`,
    },
    en: { body: `{{brand}}: are you ${doing[purpose].en} right now? Reply YES to confirm, or NO if it was not you.` },
    es: {
      body: `{{brand}}: recibimos ahora ${received[purpose].es} con este celular. ¿Es suyo? Responda 1 si es suyo o 2 si es de otra persona.`,
    },
  },
  options: yesNoReplies,
});
