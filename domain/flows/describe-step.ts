import type { Channel } from '../confirmation-settings';
import type { BiometricsStep, ConfirmStep, Step } from './definition';

const units = [
  ['day', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** A duration such as 1 h 30 min. */
export function formatDuration(seconds: number): string {
  const parts: string[] = [];
  let remainingSeconds = Math.max(0, Math.round(seconds));
  for (const [unit, size] of units) {
    const count = Math.floor(remainingSeconds / size);
    remainingSeconds -= count * size;
    if (count > 0) parts.push(unit === 'day' ? formatCount(count, unit) : `${count} ${unit}`);
  }
  return parts.join(' ') || '0 s';
}

/** A count with its noun, such as 1 message or 3 messages. */
export const formatCount = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const channelTexts: Record<Channel, string> = { sms: 'by SMS', email: 'by e-mail', whatsapp: 'on WhatsApp' };

/** A channel as text, such as `by SMS`. */
export const channelText = (channel: Channel) => channelTexts[channel];

function describeConfirm(step: ConfirmStep): string[] {
  const attempts = step.attemptLimit === undefined ? [] : [formatCount(step.attemptLimit, 'attempt')];
  return [
    `${step.ask === 'token' ? 'Code' : 'Question'} ${channelTexts[step.channel]}`,
    step.template === undefined ? 'own text' : `text ${step.template}`,
    [formatDuration(step.expiresAfterSeconds), formatCount(step.sendLimit, 'message'), ...attempts].join(' · '),
  ];
}

function describeBiometrics({ channels, linkSeconds, decideWithinSeconds }: BiometricsStep): string[] {
  const link = channels.length > 0 ? channels.map((channel) => channelTexts[channel]).join(', ') : 'from the caller';
  return [
    'Images of document and face',
    `link ${link}, open ${formatDuration(linkSeconds)}`,
    `decision within ${formatDuration(decideWithinSeconds)}`,
  ];
}

function describeKind(step: Step): string[] {
  if (step.kind === 'confirm') return describeConfirm(step);
  if (step.kind === 'biometrics') return describeBiometrics(step);
  if (step.kind === 'decide') return ['Decides'];
  if (step.kind === 'wait') return [`Waits ${formatDuration(step.seconds)}`];
  if (step.kind === 'notify')
    return ['Notifies the caller', `event ${step.event}`, `retries for ${formatDuration(step.giveUpAfterSeconds)}`];
  return [`Ends as ${step.outcome}`];
}

/** What a step does, as lines for a drawing. The first line names the kind of step. */
export function describeStep(step: Step): readonly string[] {
  const visits =
    step.kind === 'outcome' || step.visits === undefined ? [] : [`at most ${formatCount(step.visits, 'time')}`];
  return [...describeKind(step), ...visits];
}
