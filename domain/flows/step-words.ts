import type { Channel } from '../confirmation-settings';
import type { BiometricsStep, ConfirmStep, Step } from './definition';

const units = [
  ['day', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** A length of time as people say it, such as 1 h 30 min; the parts that are nothing are left out. */
export function durationWords(seconds: number): string {
  const parts: string[] = [];
  let rest = Math.max(0, Math.round(seconds));
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(unit === 'day' ? countWords(count, unit) : `${count} ${unit}`);
  }
  return parts.join(' ') || '0 s';
}

/** A count with its word, such as 1 message or 3 messages; `many` where an s does not do. */
export const countWords = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

const ways: Record<Channel, string> = { sms: 'by SMS', email: 'by e-mail', whatsapp: 'on WhatsApp' };

/** How a channel is reached, such as `by SMS`. */
export const wayWords = (channel: Channel) => ways[channel];

function confirmWords(step: ConfirmStep): string[] {
  const tries = step.attemptLimit === undefined ? [] : [countWords(step.attemptLimit, 'try', 'tries')];
  return [
    `${step.ask === 'token' ? 'Code' : 'Question'} ${ways[step.channel]}`,
    step.template === undefined ? 'text of its own' : `text ${step.template}`,
    [durationWords(step.expiresAfterSeconds), countWords(step.sendLimit, 'message'), ...tries].join(' · '),
  ];
}

function biometricsWords({ channels, linkSeconds, decideWithinSeconds }: BiometricsStep): string[] {
  const link = channels.length > 0 ? channels.map((channel) => ways[channel]).join(', ') : 'from the caller';
  return [
    'Pictures of document and face',
    `link ${link}, open ${durationWords(linkSeconds)}`,
    `decided within ${durationWords(decideWithinSeconds)}`,
  ];
}

function ownWords(step: Step): string[] {
  if (step.kind === 'confirm') return confirmWords(step);
  if (step.kind === 'biometrics') return biometricsWords(step);
  if (step.kind === 'decide') return ['Decides'];
  if (step.kind === 'wait') return [`Waits ${durationWords(step.seconds)}`];
  if (step.kind === 'notify')
    return ['Tells the caller', `event ${step.event}`, `tries for ${durationWords(step.giveUpAfterSeconds)}`];
  return [`Ends as ${step.outcome}`];
}

/** What a step does, in lines for a drawing; the first says what sort of step it is. */
export function stepWords(step: Step): readonly string[] {
  const visits =
    step.kind === 'outcome' || step.visits === undefined ? [] : [`at most ${countWords(step.visits, 'time')}`];
  return [...ownWords(step), ...visits];
}
