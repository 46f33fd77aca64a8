import type { Template } from '../../domain/flows/template';

export const smsTokenTemplate: Template = {
  name: 'sms-token',
  channels: ['sms'],
  ask: 'token',
  message: {
    'pt-BR': {
      body: '{{brand}}: seu código é {{code}}. Vale por {{minutes}} min. Não o informe a ninguém que telefonar para você.',
    },
    en: {
      body: '{{brand}}: your code is {{code}}. It is good for {{minutes}} min. Do not tell it to anyone who calls you.',
    },
    es: { body: '{{brand}}: su código es {{code}}. Vale por {{minutes}} min. No se lo diga a nadie que le llame.' },
  },
};
