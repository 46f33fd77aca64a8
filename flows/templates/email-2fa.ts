import type { Template } from '../../domain/flows/definition';
import { yesNoReplies } from './yes-no';
export const emailSecondFactorTemplate: Template = {
  name: 'email-2fa',
  channels: ['email'],
  ask: 'reply',
  message: {
    'pt-BR': {
      subject: '{{brand}}: foi você?',
      body: 'Você está fazendo um cadastro agora? Confirme, ou avise que não foi você. O pedido vale por {{minutes}} min.',
    },
    en: {
      subject: '{{brand}}: was it you?',
      body: 'Are you signing up right now? Confirm it, or tell us that it was not you. The request is open for {{minutes}} min.',
    },
    es: {
      subject: '{{brand}}: ¿fue usted?',
      body: '¿Está haciendo un registro ahora? Confírmelo, o avísenos que no fue usted. La solicitud vale por {{minutes}} min.',
    },
  },
  options: yesNoReplies,
};
