import type { Template } from '../../domain/flows/template';
import { yesNoReplies } from './yes-no';
export const smsSecondFactorTemplate: Template = {
  name: 'sms-2fa',
  channels: ['sms'],
  ask: 'reply',
  message: {
    'pt-BR': {
      body: '{{brand}}: você está fazendo um cadastro agora? Responda SIM para confirmar ou NÃO se não foi você.',
    },
    en: { body: '{{brand}}: are you signing up right now? Reply YES to confirm, or NO if it was not you.' },
    es: { body: '{{brand}}: ¿está haciendo un registro ahora? Responda SÍ para confirmar o NO si no fue usted.' },
  },
  options: yesNoReplies,
};
