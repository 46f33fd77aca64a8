import type { Channel } from '../../domain/confirmation-settings';
import { readDuration } from './duration';

/** What a line is about: a confirmation on a channel, the pictures of biometrics, or the caller's webhook. */
export type Matter = Channel | 'pictures' | 'webhook';

export type Act =
  /** Nothing more happens in this ask. */
  | { does: 'ignores' }
  | { does: 'presses'; option: number }
  | { does: 'replies'; words: string }
  | { does: 'enters'; right: boolean; times: number }
  /** The caller asks for a further message. */
  | { does: 'asksAgain' }
  /** The provider takes no message of this ask, or the caller's webhook no event. */
  | { does: 'refuses' }
  | { does: 'opens' }
  | { does: 'submits' }
  | { does: 'isDecided'; status: 'Approved' | 'Rejected' | 'Inconclusive' }
  /** All pictures of the transaction are erased on request, and the link with them. */
  | { does: 'hasPicturesErased' };

/** One line of a scripted person. */
export interface PersonLine {
  /** As it was written. */
  text: string;
  about: Matter;
  act: Act;
  /** From the line before in the same ask, or from when the step asked. */
  afterSeconds: number;
}

/** People are not quicker than that; a line may say another time. */
const usualPauseSeconds = 5;

/** What may stand in a line, for messages and documents. */
export const allowedLines: readonly string[] = [
  'ignores sms | email | whatsapp',
  'presses 2 on whatsapp | sms | email',
  'replies "sim" by sms | whatsapp',
  'enters the code by sms | email',
  'enters a wrong code by sms | email',
  'enters a wrong code 5 times by sms | email',
  'asks again by sms | email | whatsapp',
  'provider refuses sms | email | whatsapp',
  'ignores the link',
  'opens the link',
  'submits pictures',
  'is approved | rejected | inconclusive',
  'has the pictures erased',
  'webhook refuses',
  '… and a time in any of them: after 2m presses 1 on whatsapp, or: is approved after 1h30m',
];

type Read = (found: readonly (string | undefined)[]) => readonly [Matter, Act];

const way = '(?:by|on|in) (sms|email|whatsapp)';
const statuses = { approved: 'Approved', rejected: 'Rejected', inconclusive: 'Inconclusive' } as const;

const phrases: readonly (readonly [string, Read])[] = [
  ['ignores (sms|email|whatsapp)', ([channel]) => [channel as Channel, { does: 'ignores' }]],
  [
    `presses (\\d{1,2}) ${way}`,
    ([option, channel]) => [channel as Channel, { does: 'presses', option: Number(option) }],
  ],
  [
    `replies ["'](.{1,160})["'] (?:by|on|in) (sms|whatsapp)`,
    ([words = '', channel]) => [channel as Channel, { does: 'replies', words }],
  ],
  [
    'enters the code (?:by|on|in) (sms|email)',
    ([channel]) => [channel as Channel, { does: 'enters', right: true, times: 1 }],
  ],
  [
    'enters a wrong code(?: (\\d{1,2}) times?)? (?:by|on|in) (sms|email)',
    ([times, channel]) => [channel as Channel, { does: 'enters', right: false, times: Number(times ?? 1) }],
  ],
  [`asks again ${way}`, ([channel]) => [channel as Channel, { does: 'asksAgain' }]],
  ['(?:the )?provider refuses (sms|email|whatsapp)', ([channel]) => [channel as Channel, { does: 'refuses' }]],
  ['ignores the link', () => ['pictures', { does: 'ignores' }]],
  ['opens the link', () => ['pictures', { does: 'opens' }]],
  ['submits (?:the )?pictures', () => ['pictures', { does: 'submits' }]],
  [
    'is (approved|rejected|inconclusive)',
    ([status]) => ['pictures', { does: 'isDecided', status: statuses[status as keyof typeof statuses] }],
  ],
  ['has the pictures erased', () => ['pictures', { does: 'hasPicturesErased' }]],
  ['(?:the )?webhook refuses', () => ['webhook', { does: 'refuses' }]],
];

function takeTime(text: string): { words: string; afterSeconds: number } | undefined {
  const time = '((?:\\d+ ?(?:s|min|m|h|d) ?)+)';
  const found = new RegExp(`^after ${time}(?<=\\s)(.+)$`).exec(text) ?? undefined;
  const behind = found ? undefined : (new RegExp(`^(.+) after ${time}$`).exec(text) ?? undefined);
  if (!found && !behind) return { words: text, afterSeconds: usualPauseSeconds };
  const [words, written] = found ? [found[2], found[1]] : [behind?.[1], behind?.[2]];
  const afterSeconds = readDuration(written ?? '');
  return words === undefined || afterSeconds === undefined ? undefined : { words, afterSeconds };
}

/** Reads one line of a person; undefined when it is none of `allowedLines`. */
export function readPersonLine(written: string): PersonLine | undefined {
  const text = written.trim().replace(/\s+/g, ' ');
  const timed = takeTime(text);
  if (!timed) return undefined;
  for (const [phrase, read] of phrases) {
    const found = new RegExp(`^${phrase}$`).exec(timed.words);
    if (!found) continue;
    const [about, act] = read(found.slice(1));
    const counts = act.does !== 'enters' || act.times > 0;
    return counts ? { text, about, act, afterSeconds: timed.afterSeconds } : undefined;
  }
  return undefined;
}
