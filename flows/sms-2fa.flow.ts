import { defineFlow } from '../domain/flow';
import { yesNo } from './yes-no';

export const smsSecondFactor = defineFlow({
  name: 'sms-2fa',
  channel: 'sms',
  kind: 'secondFactor',
  path: 'sms/2fa',
  expiresAfterMs: 30 * 60_000,
  sendLimit: 2,
  resendAfterMs: 60_000,
  options: yesNo,
  message: {
    'pt-BR': {
      body: '{{brand}}: você está fazendo um cadastro agora? Responda SIM para confirmar ou NÃO se não foi você.',
    },
    en: { body: '{{brand}}: are you signing up right now? Reply YES to confirm, or NO if it was not you.' },
    es: { body: '{{brand}}: ¿está haciendo un registro ahora? Responda SÍ para confirmar o NO si no fue usted.' },
  },
  confirms: { fact: 'phone', scoreReason: 'PhoneChecked' },
});
