import type { Template } from '../../domain/flows/definition';

export const emailTokenTemplate: Template = {
  name: 'email-token',
  channels: ['email'],
  ask: 'token',
  message: {
    'pt-BR': {
      subject: 'Seu código {{brand}}',
      body: 'Seu código é {{code}}. Ele vale por {{minutes}} min. Se você não pediu este código, avise pelo link no fim desta mensagem.',
    },
    en: {
      subject: 'Your {{brand}} code',
      body: 'Your code is {{code}}. It is good for {{minutes}} min. If you did not ask for it, tell us with the link at the end of this message.',
    },
    es: {
      subject: 'Su código de {{brand}}',
      body: 'Su código es {{code}}. Vale por {{minutes}} min. Si usted no lo pidió, avísenos con el enlace al final de este mensaje.',
    },
  },
};
