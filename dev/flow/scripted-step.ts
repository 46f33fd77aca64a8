import { type Channel, channels, textChannels } from '../../domain/confirmations/settings';

/** What a scripted step concerns: a confirmation on a channel, the images of biometrics, or the caller's webhook. */
export type Topic = Channel | 'pictures' | 'webhook';

/** What the person, a provider, a reviewer or the caller's webhook does in a scripted step. */
export type Action =
  /** The person does nothing more for this prompt. A prompt is a code, a question or a link. */
  | { does: 'ignores' }
  | { does: 'presses'; option: number }
  | { does: 'replies'; text: string }
  | { does: 'enters'; isCorrect: boolean; times: number }
  /** The person asks for a further message, and the caller requests it. */
  | { does: 'asksAgain' }
  /** The provider rejects the message of this prompt, or the caller's webhook rejects the event. */
  | { does: 'refuses' }
  /** No report says that the messages of this prompt have arrived. */
  | { does: 'doesNotArrive' }
  | { does: 'opens' }
  | { does: 'submits' }
  | { does: 'isDecided'; status: 'Approved' | 'Rejected' | 'Inconclusive' }
  /** The person asks to erase all images of the transaction. The erasure cancels the link. */
  | { does: 'asksToErasePictures' };

/** One action of the scripted person. */
export interface ScriptedStep {
  /** The scripted step as the user wrote it. */
  text: string;
  /** A prompt or an event takes only the scripted steps of its topic. */
  topic: Topic;
  action: Action;
  /** Seconds since the previous scripted step of the same prompt. For the first scripted step: seconds since the prompt. */
  afterSeconds: number;
}

/** The reaction time of a person, if the scripted step has no time. */
const defaultPauseSeconds = 5;

const anyChannel = channels.join(' | ');

/** The syntax of scripted steps, for error messages and documents. */
export const scriptedStepSyntax: readonly string[] = [
  `ignores ${anyChannel}`,
  'presses 2 on whatsapp | sms | email',
  'replies "sim" by sms | whatsapp',
  `enters the code by ${anyChannel}`,
  `enters a wrong code by ${anyChannel}`,
  `enters a wrong code 5 times by ${anyChannel}`,
  `asks again by ${anyChannel}`,
  `provider refuses ${anyChannel}`,
  'sms | whatsapp | voice does not arrive',
  'ignores the link',
  'opens the link',
  'submits pictures',
  'is approved | rejected | inconclusive',
  'asks to erase the pictures',
  'webhook refuses',
];

/** Turns the capture groups of a matched regular expression into a topic and an action. */
type ReadMatch = (groups: readonly (string | undefined)[]) => readonly [Topic, Action];

const channelNames = channels.join('|');
const channelPattern = `(?:by|on|in) (${channelNames})`;
const statuses = { approved: 'Approved', rejected: 'Rejected', inconclusive: 'Inconclusive' } as const;

/** For each scripted step, its regular expression without the time, and the function that reads a match. */
const phrases: readonly (readonly [string, ReadMatch])[] = [
  [`ignores (${channelNames})`, ([channel]) => [channel as Channel, { does: 'ignores' }]],
  [
    `presses (\\d{1,2}) (?:by|on|in) (${textChannels.join('|')})`,
    ([option, channel]) => [channel as Channel, { does: 'presses', option: Number(option) }],
  ],
  [
    `replies ["'](.{1,160})["'] (?:by|on|in) (sms|whatsapp)`,
    ([text = '', channel]) => [channel as Channel, { does: 'replies', text }],
  ],
  [
    `enters the code ${channelPattern}`,
    ([channel]) => [channel as Channel, { does: 'enters', isCorrect: true, times: 1 }],
  ],
  [
    `enters a wrong code(?: (\\d{1,2}) times?)? ${channelPattern}`,
    ([times, channel]) => [channel as Channel, { does: 'enters', isCorrect: false, times: Number(times ?? 1) }],
  ],
  [`asks again ${channelPattern}`, ([channel]) => [channel as Channel, { does: 'asksAgain' }]],
  [`(?:the )?provider refuses (${channelNames})`, ([channel]) => [channel as Channel, { does: 'refuses' }]],
  ['(sms|whatsapp|voice) does not arrive', ([channel]) => [channel as Channel, { does: 'doesNotArrive' }]],
  ['ignores the link', () => ['pictures', { does: 'ignores' }]],
  ['opens the link', () => ['pictures', { does: 'opens' }]],
  ['submits (?:the )?pictures', () => ['pictures', { does: 'submits' }]],
  [
    'is (approved|rejected|inconclusive)',
    ([status]) => ['pictures', { does: 'isDecided', status: statuses[status as keyof typeof statuses] }],
  ],
  ['asks to erase the pictures', () => ['pictures', { does: 'asksToErasePictures' }]],
  ['(?:the )?webhook refuses', () => ['webhook', { does: 'refuses' }]],
];

const secondsPerUnit: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3_600, d: 86_400 };

/** Reads a duration such as 90s, 2m, 1h30m or 3d, in seconds; undefined when it is invalid. */
export function readDuration(text: string): number | undefined {
  const compactText = text.replaceAll(' ', '');
  if (!/^(\d+(s|min|m|h|d))+$/.test(compactText)) return undefined;
  let seconds = 0;
  for (const [, count, unit = 's'] of compactText.matchAll(/(\d+)(min|[smhd])/g))
    seconds += Number(count) * (secondsPerUnit[unit] ?? 1);
  return seconds;
}

/** Splits a text such as `after 2m opens the link` into its phrase and time; undefined if the time is invalid. */
function splitTime(text: string): { phrase: string; afterSeconds: number } | undefined {
  const time = '((?:\\d+ ?(?:s|min|m|h|d) ?)+)';
  const leadingMatch = new RegExp(`^after ${time}(?<=\\s)(.+)$`).exec(text) ?? undefined;
  const trailingMatch = leadingMatch ? undefined : (new RegExp(`^(.+) after ${time}$`).exec(text) ?? undefined);
  if (!leadingMatch && !trailingMatch) return { phrase: text, afterSeconds: defaultPauseSeconds };
  const [phrase, duration] = leadingMatch
    ? [leadingMatch[2], leadingMatch[1]]
    : [trailingMatch?.[1], trailingMatch?.[2]];
  const afterSeconds = readDuration(duration ?? '');
  return phrase === undefined || afterSeconds === undefined ? undefined : { phrase, afterSeconds };
}

/** Reads a scripted step; undefined when it matches no line of `scriptedStepSyntax`. */
export function readScriptedStep(input: string): ScriptedStep | undefined {
  const text = input.trim().replace(/\s+/g, ' ');
  const timedPhrase = splitTime(text);
  if (!timedPhrase) return undefined;
  for (const [phrase, read] of phrases) {
    const match = new RegExp(`^${phrase}$`).exec(timedPhrase.phrase);
    if (!match) continue;
    const [topic, action] = read(match.slice(1));
    const valid = action.does !== 'enters' || action.times > 0;
    return valid ? { text, topic, action, afterSeconds: timedPhrase.afterSeconds } : undefined;
  }
  return undefined;
}

/** The scripted steps of a person, in the order in which prompts use them. */
export interface Script {
  /** Takes the next scripted step of a topic; undefined when there is none. */
  next: (topic: Topic) => ScriptedStep | undefined;
  /** Marks a scripted step as executed. A scripted step that the transaction rejected also counts as executed. */
  markUsed: (step: ScriptedStep) => void;
  /** Marks a scripted step as rejected by the transaction. */
  markRejected: (step: ScriptedStep) => void;
  /** The texts of the scripted steps that the transaction rejected, so they changed nothing. */
  rejectedSteps: () => readonly string[];
  /** The texts of the scripted steps that were never executed. The flow run did not reach them, or it ended before their time. */
  unusedSteps: () => readonly string[];
}

export function createScript(steps: readonly ScriptedStep[]): Script {
  const remaining = [...steps];
  const usedSteps = new Set<ScriptedStep>();
  const rejectedSteps = new Set<ScriptedStep>();
  return {
    markUsed: (step) => void usedSteps.add(step),
    markRejected: (step) => void rejectedSteps.add(step),
    rejectedSteps: () => steps.filter((step) => rejectedSteps.has(step)).map(({ text }) => text),
    unusedSteps: () => steps.filter((step) => !usedSteps.has(step)).map(({ text }) => text),
    next: (topic) => {
      const index = remaining.findIndex((step) => step.topic === topic);
      return index === -1 ? undefined : remaining.splice(index, 1)[0];
    },
  };
}
