import type { Channel } from '../confirmation-settings';
import type { Language } from '../language';

/** The texts of a drawing. The names of steps, exits, outcomes and events are part of the flow, and stay as they are. */
export interface StepTexts {
  channels: Record<Channel, string>;
  day: (count: number) => string;
  code: (channel: string) => string;
  question: (channel: string) => string;
  ownText: string;
  template: (name: string) => string;
  attempts: (count: number) => string;
  messages: (count: number) => string;
  images: string;
  /** `channels`: how the person gets the link. Empty if the caller passes it on. */
  link: (channels: string, duration: string) => string;
  decisionWithin: (duration: string) => string;
  decides: string;
  /** How a decide step ends the flow run if a condition cannot be evaluated. */
  ifUndecided: (outcome: string) => string;
  waits: (duration: string) => string;
  notifies: string;
  event: (name: string) => string;
  retriesFor: (duration: string) => string;
  endsAs: (outcome: string) => string;
  /** How many times a flow run may enter the step. */
  visits: (count: number) => string;
  /** The label of the transition of a step that has no visits left. */
  afterVisits: (count: number) => string;
  otherwise: string;
  start: string;
  noSuchStep: string;
}

/** A count with its noun, such as 1 message or 3 messages. */
const counted = (one: string, many: string) => (count: number) => `${count} ${count === 1 ? one : many}`;

const en: StepTexts = {
  channels: { sms: 'by SMS', email: 'by e-mail', whatsapp: 'on WhatsApp' },
  day: counted('day', 'days'),
  code: (channel) => `Code ${channel}`,
  question: (channel) => `Question ${channel}`,
  ownText: 'own text',
  template: (name) => `text ${name}`,
  attempts: counted('attempt', 'attempts'),
  messages: counted('message', 'messages'),
  images: 'Images of document and face',
  link: (channels, duration) => `link ${channels || 'from the caller'}, open ${duration}`,
  decisionWithin: (duration) => `decision within ${duration}`,
  decides: 'Decides',
  ifUndecided: (outcome) => `without a decision: ends as ${outcome}`,
  waits: (duration) => `Waits ${duration}`,
  notifies: 'Notifies the caller',
  event: (name) => `event ${name}`,
  retriesFor: (duration) => `retries for ${duration}`,
  endsAs: (outcome) => `Ends as ${outcome}`,
  visits: (count) => `at most ${counted('time', 'times')(count)}`,
  afterVisits: (count) => `after ${counted('time', 'times')(count)}`,
  otherwise: 'else',
  start: 'start',
  noSuchStep: 'No such step',
};

const ptBr: StepTexts = {
  channels: { sms: 'por SMS', email: 'por e-mail', whatsapp: 'pelo WhatsApp' },
  day: counted('dia', 'dias'),
  code: (channel) => `Código ${channel}`,
  question: (channel) => `Pergunta ${channel}`,
  ownText: 'texto próprio',
  template: (name) => `texto ${name}`,
  attempts: counted('tentativa', 'tentativas'),
  messages: counted('mensagem', 'mensagens'),
  images: 'Imagens do documento e do rosto',
  link: (channels, duration) => `link ${channels || 'entregue pelo seu sistema'}, aberto por ${duration}`,
  decisionWithin: (duration) => `decisão em até ${duration}`,
  decides: 'Decide',
  ifUndecided: (outcome) => `sem decisão: termina como ${outcome}`,
  waits: (duration) => `Espera ${duration}`,
  notifies: 'Notifica o seu sistema',
  event: (name) => `evento ${name}`,
  retriesFor: (duration) => `novas tentativas por ${duration}`,
  endsAs: (outcome) => `Termina como ${outcome}`,
  visits: (count) => `no máximo ${counted('vez', 'vezes')(count)}`,
  afterVisits: (count) => `após ${counted('vez', 'vezes')(count)}`,
  otherwise: 'senão',
  start: 'início',
  noSuchStep: 'Esta etapa não existe',
};

const es: StepTexts = {
  channels: { sms: 'por SMS', email: 'por correo', whatsapp: 'por WhatsApp' },
  day: counted('día', 'días'),
  code: (channel) => `Código ${channel}`,
  question: (channel) => `Pregunta ${channel}`,
  ownText: 'texto propio',
  template: (name) => `texto ${name}`,
  attempts: counted('intento', 'intentos'),
  messages: counted('mensaje', 'mensajes'),
  images: 'Imágenes del documento y del rostro',
  link: (channels, duration) => `enlace ${channels || 'entregado por su sistema'}, abierto por ${duration}`,
  decisionWithin: (duration) => `decisión en ${duration} como máximo`,
  decides: 'Decide',
  ifUndecided: (outcome) => `sin decisión: termina como ${outcome}`,
  waits: (duration) => `Espera ${duration}`,
  notifies: 'Notifica a su sistema',
  event: (name) => `evento ${name}`,
  retriesFor: (duration) => `reintentos durante ${duration}`,
  endsAs: (outcome) => `Termina como ${outcome}`,
  visits: (count) => `como máximo ${counted('vez', 'veces')(count)}`,
  afterVisits: (count) => `después de ${counted('vez', 'veces')(count)}`,
  otherwise: 'si no',
  start: 'inicio',
  noSuchStep: 'Este paso no existe',
};

export const stepTexts: Record<Language, StepTexts> = { en, 'pt-BR': ptBr, es };
