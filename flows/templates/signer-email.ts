import type { Template } from '../../domain/flows/definition';
import { yesNoReplies } from './yes-no';

/**
 * The question for people who sign for a company. As in all templates, the reply NO means "it was not me": the person denies the
 * transaction.
 */
export const signerEmailTemplate: Template = {
  name: 'signer-email',
  channels: ['email'],
  ask: 'reply',
  message: {
    'pt-BR': {
      subject: '{{brand}}: você assina pela empresa?',
      body: 'Você está assinando em nome da sua empresa agora? Confirme, ou avise que não foi você. O pedido vale por {{minutes}} min.',
    },
    en: {
      subject: '{{brand}}: do you sign for the company?',
      body: 'Are you signing on behalf of your company right now? Confirm it, or tell us that it was not you. The request is open for {{minutes}} min.',
    },
    es: {
      subject: '{{brand}}: ¿firma usted por la empresa?',
      body: '¿Está firmando en nombre de su empresa ahora? Confírmelo, o avísenos que no fue usted. La solicitud vale por {{minutes}} min.',
    },
  },
  options: yesNoReplies,
};
