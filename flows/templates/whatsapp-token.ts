import type { Template } from '../../domain/flows/definition';

/** The text that WhatsApp itself writes around a code, as far as it is known. Nobody can change it. The person also gets a button to copy the code. */
export const whatsappTokenTemplate: Template = {
  name: 'whatsapp-token',
  channels: ['whatsapp'],
  ask: 'token',
  message: {
    'pt-BR': {
      body: '{{code}} é seu código de verificação. Para sua segurança, não o compartilhe. Este código expira em {{minutes}} minutos.',
    },
    en: {
      body: '{{code}} is your verification code. For your security, do not share this code. This code expires in {{minutes}} minutes.',
    },
    es: {
      body: '{{code}} es tu código de verificación. Por tu seguridad, no lo compartas. Este código caduca en {{minutes}} minutos.',
    },
  },
};
