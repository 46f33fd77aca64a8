import { countWords, durationWords } from '../../domain/flows/step-words';
import { languages } from '../../domain/language';
import type { Colours } from './colours';
import { tellMoment } from './duration';
import type { Timeline, TimelineEntry } from './timeline';

function tellMessages({ messages }: TimelineEntry, indent: string, { soft }: Colours): string[] {
  if (!messages) return [];
  return languages.flatMap((language) => {
    const { subject, body } = messages[language];
    const lines = [...(subject === undefined ? [] : [subject]), ...body.split('\n')];
    return lines.map((line, index) => indent + soft(`${(index === 0 ? language : '').padEnd(7)}${line}`));
  });
}

/** A run for a person to read: a line for each thing that happened, with its moment, and messages below in each language. */
export function printTimeline(timeline: Timeline, colours: Colours): string {
  const { bold, soft, good, bad } = colours;
  const { entries, outcome, flow, version, seconds, sends, neverCame } = timeline;
  const moments = entries.map(({ atSeconds }) => tellMoment(atSeconds));
  const wide = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => text.length));
  const [momentWidth, stepWidth] = [wide(moments), wide(entries.map(({ step }) => step))];
  const indent = ' '.repeat(2 + momentWidth + 2 + stepWidth + 2);
  const rows = entries.flatMap((entry, index) => {
    const repeated = entries[index - 1]?.step === entry.step && entries[index - 1]?.exit === undefined;
    const step = (repeated ? '' : entry.step).padEnd(stepWidth);
    const exit = entry.exit === undefined ? '' : ` ${bold(entry.exit)}${soft(entry.to ? ` → ${entry.to}` : '')}`;
    const moment = soft((moments[index] ?? '').padStart(momentWidth));
    return [`  ${moment}  ${bold(step)}  ${entry.what}${exit}`.trimEnd(), ...tellMessages(entry, indent, colours)];
  });
  const end = outcome === undefined ? bad('It did not end.') : `It ended as ${good(bold(outcome))}`;
  const took = outcome === undefined ? '' : ` after ${durationWords(seconds)}, with ${countWords(sends, 'message')}.`;
  const never = neverCame.length === 0 ? [] : [`${bad('Never came:')} ${neverCame.join('; ')}.`];
  return [bold(`${flow} ${version}`), ...rows, '', `${end}${took}`, ...never, ''].join('\n');
}
