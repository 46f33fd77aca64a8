import { defineFlow } from '../domain/flow';
import { yesNo } from './yes-no';

export const whatsappSecondFactor = defineFlow({
  name: 'whatsapp-2fa',
  channel: 'whatsapp',
  kind: 'secondFactor',
  path: 'whatsapps/2fa',
  expiresAfterMs: 30 * 60_000,
  sendLimit: 3,
  resendAfterMs: 60_000,
  options: yesNo,
  message: {
    'pt-BR': {
      body: 'Olá! Aqui é {{brand}}.\nVocê está fazendo um cadastro agora?\nToque em uma das opções para responder.',
    },
    en: { body: 'Hello! This is {{brand}}.\nAre you signing up right now?\nTap one of the options to answer.' },
    es: {
      body: '¡Hola! Somos {{brand}}.\n¿Está haciendo un registro ahora?\nToque una de las opciones para responder.',
    },
  },
  confirms: { fact: 'phone', scoreReason: 'WhatsappChecked' },
});
