import type { Template } from '../../domain/flows/definition';
import { yesNoReplies } from './yes-no';
export const whatsappSecondFactorTemplate: Template = {
  name: 'whatsapp-2fa',
  channels: ['whatsapp'],
  ask: 'reply',
  message: {
    'pt-BR': {
      body: 'Olá! Aqui é {{brand}}.\nVocê está fazendo um cadastro agora?\nToque em uma das opções para responder.',
    },
    en: { body: 'Hello! This is {{brand}}.\nAre you signing up right now?\nTap one of the options to answer.' },
    es: {
      body: '¡Hola! Somos {{brand}}.\n¿Está haciendo un registro ahora?\nToque una de las opciones para responder.',
    },
  },
  options: yesNoReplies,
};
