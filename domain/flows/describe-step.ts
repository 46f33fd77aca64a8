import type { Channel } from '../confirmation-settings';
import type { Language } from '../language';
import type { BiometricsStep, ConfirmStep, Step } from './definition';
import { notDecided } from './leave-step';
import { canEndUndecided } from './outcomes-of';
import { type StepTexts, stepTexts } from './step-texts';

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
