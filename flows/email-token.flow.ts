import { defineFlow } from '../domain/flow';

export const emailToken = defineFlow({
  name: 'email-token',
  channel: 'email',
  kind: 'token',
  path: 'emails/tokens',
  // Mail filters may hold a message for ten minutes before the person can read it.
  expiresAfterMs: 30 * 60_000,
  sendLimit: 3,
  resendAfterMs: 60_000,
  attemptLimit: 5,
  codeDigits: 6,
  resend: 'rotate',
  message: {
    'pt-BR': {
      subject: 'Seu código {{brand}}',
      body: 'Seu código é {{code}}. Ele vale por {{minutes}} minutos. Se você não pediu este código, avise pelo botão abaixo.',
    },
    en: {
      subject: 'Your {{brand}} code',
      body: 'Your code is {{code}}. It is good for {{minutes}} minutes. If you did not ask for it, tell us with the button below.',
    },
    es: {
      subject: 'Su código de {{brand}}',
      body: 'Su código es {{code}}. Vale por {{minutes}} minutos. Si usted no lo pidió, avísenos con el botón de abajo.',
    },
  },
  confirms: { fact: 'email', scoreReason: 'EmailChecked' },
});
