import type { Template } from '../../domain/flows/definition';
import { doing, type Purpose, templateNameOf } from './purposes';
import { yesNoReplies } from './yes-no';

export const emailSecondFactorTemplate = (purpose: Purpose): Template => ({
  name: templateNameOf('email-2fa', purpose),
  channels: ['email'],
  ask: 'reply',
  message: {
    'pt-BR': {
      subject: '{{brand}}: foi você?',
      body: `Você está ${doing[purpose]['pt-BR']} agora? Confirme, ou avise que não foi você. O pedido vale por {{minutes}} min.`,
    },
    en: {
      subject: '{{brand}}: was it you?',
      body: `Are you ${doing[purpose].en} right now? Confirm it, or tell us that it was not you. The request is open for {{minutes}} min.`,
    },
    es: {
      subject: '{{brand}}: ¿fue usted?',
      body: `¿Está ${doing[purpose].es} ahora? Confírmelo, o avísenos que no fue usted. La solicitud vale por {{minutes}} min.`,
    },
  },
  options: yesNoReplies,
});
