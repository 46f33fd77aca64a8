import { defineFlow } from '../domain/flow';
import { yesNo } from './yes-no';

export const emailSecondFactor = defineFlow({
  name: 'email-2fa',
  channel: 'email',
  kind: 'secondFactor',
  path: 'emails/2fa',
  expiresAfterMs: 30 * 60_000,
  sendLimit: 2,
  resendAfterMs: 60_000,
  options: yesNo,
  message: {
    'pt-BR': {
      subject: '{{brand}}: foi você?',
      body: 'Você está fazendo um cadastro agora? Confirme, ou avise que não foi você. O pedido vale por {{minutes}} minutos.',
    },
    en: {
      subject: '{{brand}}: was it you?',
      body: 'Are you signing up right now? Confirm it, or tell us that it was not you. The request is open for {{minutes}} minutes.',
    },
    es: {
      subject: '{{brand}}: ¿fue usted?',
      body: '¿Está haciendo un registro ahora? Confírmelo, o avísenos que no fue usted. La solicitud vale por {{minutes}} minutos.',
    },
  },
  confirms: { fact: 'email', scoreReason: 'EmailChecked' },
});
