import type { Template } from '../../domain/flows/definition';
import { doing, type Purpose, templateNameOf } from './purposes';
import { yesNoReplies } from './yes-no';

export const whatsappSecondFactorTemplate = (purpose: Purpose): Template => ({
  name: templateNameOf('whatsapp-2fa', purpose),
  channels: ['whatsapp'],
  ask: 'reply',
  message: {
    'pt-BR': {
      body: `Olá! Aqui é {{brand}}.\nVocê está ${doing[purpose]['pt-BR']} agora?\nToque em uma das opções para responder.`,
    },
    en: {
      body: `Hello! This is {{brand}}.\nAre you ${doing[purpose].en} right now?\nTap one of the options to answer.`,
    },
    es: {
      body: `¡Hola! Somos {{brand}}.\n¿Está ${doing[purpose].es} ahora?\nToque una de las opciones para responder.`,
    },
  },
  options: yesNoReplies,
});
