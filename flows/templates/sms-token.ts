import type { Template } from '../../domain/flows/definition';

/** The texts have only letters of the GSM alphabet (no ã, á, ó), so that the SMS has one segment. */
export const smsTokenTemplate: Template = {
  name: 'sms-token',
  channels: ['sms'],
  ask: 'token',
  message: {
    'pt-BR': {
      body: '{{brand}}: use {{code}} para confirmar. Vale por {{minutes}} min. Nunca o informe a quem telefonar.',
    },
    en: {
      body: '{{brand}}: your code is {{code}}. It is good for {{minutes}} min. Do not tell it to anyone who calls you.',
    },
    es: {
      body: '{{brand}}: use {{code}} para confirmar. Vale por {{minutes}} min. No se lo diga a nadie que le llame.',
    },
  },
};
