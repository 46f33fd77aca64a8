import type { Template } from '../../domain/flows/definition';

/** What a call says. The code is read digit by digit. */
export const voiceTokenTemplate: Template = {
  name: 'voice-token',
  channels: ['voice'],
  ask: 'token',
  message: {
    'pt-BR': {
      body: 'Olá! Aqui é {{brand}}. Seu código é: {{code}}. Digite este código para confirmar. Nunca o informe a quem telefonar.',
    },
    en: {
      body: 'Hello! This is {{brand}}. Your code is: {{code}}. Enter it to confirm. Never tell it to anyone who calls you.',
    },
    es: {
      body: '¡Hola! Somos {{brand}}. Su código es: {{code}}. Escríbalo para confirmar. No se lo diga a nadie que le llame.',
    },
  },
};
