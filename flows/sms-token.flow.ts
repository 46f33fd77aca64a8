import { defineFlow } from '../domain/flow';

export const smsToken = defineFlow({
  name: 'sms-token',
  channel: 'sms',
  kind: 'token',
  path: 'sms/tokens',
  expiresAfterMs: 5 * 60_000,
  sendLimit: 3,
  resendAfterMs: 60_000,
  attemptLimit: 5,
  codeDigits: 6,
  // Text messages overtake each other: with one code, whichever arrives is right.
  resend: 'reuse',
  message: {
    'pt-BR': {
      body: '{{brand}}: seu código é {{code}}. Vale por {{minutes}} minutos. Não o informe a ninguém que telefonar para você.',
    },
    en: {
      body: '{{brand}}: your code is {{code}}. It is good for {{minutes}} minutes. Do not tell it to anyone who calls you.',
    },
    es: { body: '{{brand}}: su código es {{code}}. Vale por {{minutes}} minutos. No se lo diga a nadie que le llame.' },
  },
  confirms: { fact: 'phone', scoreReason: 'PhoneChecked' },
});
