import type { Channel } from '../confirmations/settings';
import type { Language } from '../transactions/input';
import type { BiometricsStep, ConfirmStep, Step } from './definition';
import { canEndUndecided, notDecided } from './run';

const units = [
  ['day', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** A duration such as 1 h 30 min, in the language of these texts. */
function formatIn({ day }: StepTexts, seconds: number): string {
  const parts: string[] = [];
  let remainingSeconds = Math.max(0, Math.round(seconds));
  for (const [unit, size] of units) {
    const count = Math.floor(remainingSeconds / size);
    remainingSeconds -= count * size;
    if (count > 0) parts.push(unit === 'day' ? day(count) : `${count} ${unit}`);
  }
  return parts.join(' ') || '0 s';
}

/** A duration such as 1 h 30 min, in English. */
export const formatDuration = (seconds: number): string => formatIn(stepTexts.en, seconds);

/** A count with its noun, such as 1 message or 3 messages. */
export const formatCount = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A channel as English text, such as `by SMS`. */
export const channelText = (channel: Channel) => stepTexts.en.channels[channel];

/** Texts, and the format of durations in their language. */
interface DescribeTexts extends StepTexts {
  duration: (seconds: number) => string;
}

function describeConfirm(step: ConfirmStep, texts: DescribeTexts): string[] {
  const channel = texts.channels[step.channel];
  const attempts = step.attemptLimit === undefined ? [] : [texts.attempts(step.attemptLimit)];
  return [
    step.ask === 'token' ? texts.code(channel) : texts.question(channel),
    step.template === undefined ? texts.ownText : texts.template(step.template),
    [texts.duration(step.expiresAfterSeconds), texts.messages(step.sendLimit), ...attempts].join(' · '),
    ...(step.deliverWithinSeconds === undefined
      ? []
      : [texts.arrivesWithin(texts.duration(step.deliverWithinSeconds))]),
  ];
}

const describeBiometrics = (
  { channels, linkSeconds, decideWithinSeconds }: BiometricsStep,
  texts: DescribeTexts,
): string[] => [
  texts.images,
  texts.link(channels.map((channel) => texts.channels[channel]).join(', '), texts.duration(linkSeconds)),
  texts.decisionWithin(texts.duration(decideWithinSeconds)),
];

function describeKind(step: Step, texts: DescribeTexts): string[] {
  if (step.kind === 'confirm') return describeConfirm(step, texts);
  if (step.kind === 'biometrics') return describeBiometrics(step, texts);
  if (step.kind === 'decide') return [texts.decides, ...(canEndUndecided(step) ? [texts.ifUndecided(notDecided)] : [])];
  if (step.kind === 'wait') return [texts.waits(texts.duration(step.seconds))];
  if (step.kind === 'notify')
    return [texts.notifies, texts.event(step.event), texts.retriesFor(texts.duration(step.giveUpAfterSeconds))];
  return [texts.endsAs(step.outcome)];
}

/** What a step does, as lines for a drawing. The first line names the kind of step. */
export function describeStep(step: Step, language: Language = 'en'): readonly string[] {
  const texts = stepTexts[language];
  const duration = (seconds: number) => formatIn(texts, seconds);
  const visits = step.kind === 'outcome' || step.visits === undefined ? [] : [texts.visits(step.visits)];
  return [...describeKind(step, { ...texts, duration }), ...visits];
}

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
  arrivesWithin: (duration: string) => string;
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
  channels: { sms: 'by SMS', email: 'by e-mail', whatsapp: 'on WhatsApp', voice: 'by voice call' },
  day: counted('day', 'days'),
  code: (channel) => `Code ${channel}`,
  question: (channel) => `Question ${channel}`,
  ownText: 'own text',
  template: (name) => `text ${name}`,
  attempts: counted('attempt', 'attempts'),
  messages: counted('message', 'messages'),
  arrivesWithin: (duration) => `must arrive within ${duration}`,
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
  channels: { sms: 'por SMS', email: 'por e-mail', whatsapp: 'pelo WhatsApp', voice: 'por ligação' },
  day: counted('dia', 'dias'),
  code: (channel) => `Código ${channel}`,
  question: (channel) => `Pergunta ${channel}`,
  ownText: 'texto próprio',
  template: (name) => `texto ${name}`,
  attempts: counted('tentativa', 'tentativas'),
  messages: counted('mensagem', 'mensagens'),
  arrivesWithin: (duration) => `deve chegar em ${duration}`,
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
  channels: { sms: 'por SMS', email: 'por correo', whatsapp: 'por WhatsApp', voice: 'por llamada' },
  day: counted('día', 'días'),
  code: (channel) => `Código ${channel}`,
  question: (channel) => `Pregunta ${channel}`,
  ownText: 'texto propio',
  template: (name) => `texto ${name}`,
  attempts: counted('intento', 'intentos'),
  messages: counted('mensaje', 'mensajes'),
  arrivesWithin: (duration) => `debe llegar en ${duration}`,
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
