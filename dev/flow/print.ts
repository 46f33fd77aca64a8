import { boundsOf } from '../../domain/flows/bounds';
import { formatCount, formatDuration } from '../../domain/flows/describe-step';
import { outcomesOf } from '../../domain/flows/run';
import { languages } from '../../domain/transactions/input';
import type { FlowFile } from './open-flow';
import type { Timeline, TimelineEntry } from './timeline';

/** Terminal colors; each function returns its text unchanged when colors are off. */
export type Colors = Record<'bold' | 'dim' | 'good' | 'bad', (text: string) => string>;

/** The codes that switch each style on and off. */
const ansiCodes = { bold: [1, 22], dim: [2, 22], good: [32, 39], bad: [31, 39] } as const;

export function makeColors(enabled: boolean): Colors {
  const colorize = (code: keyof typeof ansiCodes) => (text: string) =>
    enabled ? `\u001B[${ansiCodes[code][0]}m${text}\u001B[${ansiCodes[code][1]}m` : text;
  return { bold: colorize('bold'), dim: colorize('dim'), good: colorize('good'), bad: colorize('bad') };
}

/** The issues of a flow as text: where, what, and how to fix it. */
export function formatIssues({ file, issues }: FlowFile, { bold, dim, bad }: Colors): string {
  const lines = issues.flatMap(({ code, path, message, fix, position }) => [
    `  ${position ? `${position.line}:${position.column}  ` : ''}${bold(path === '' ? 'the whole flow' : path)} ${dim(`[${code}]`)}`,
    `    ${message}`,
    `    ${fix}`,
  ]);
  return [`${file}: ${bad(formatCount(issues.length, 'issue'))}`, ...lines, ''].join('\n');
}

/** A summary of a valid flow: its size, outcomes and upper bounds. */
export function formatBounds({ file, flow }: FlowFile, { good, bold }: Colors): string {
  const { seconds, sends } = boundsOf(flow);
  const stepCount = Object.keys(flow.steps).length;
  return [
    `${file}: ${good('valid')}`,
    `  ${bold(flow.name)} (version ${flow.version}) has ${formatCount(stepCount, 'step')}. Its outcomes: ${outcomesOf(flow).join(', ')}.`,
    `  A flow run takes at most ${formatDuration(seconds)} and sends at most ${formatCount(sends, 'message')}.`,
    '',
  ].join('\n');
}

/** The time since the start of a flow run as text, such as +2m05s or +1d03h00m. */
export function formatMoment(seconds: number): string {
  const totalSeconds = Math.round(seconds);
  const parts = [
    [Math.floor(totalSeconds / 86_400), 'd'],
    [Math.floor(totalSeconds / 3_600) % 24, 'h'],
    [Math.floor(totalSeconds / 60) % 60, 'm'],
    [totalSeconds % 60, 's'],
  ] as const;
  const firstIndex = parts.findIndex(([count]) => count > 0);
  if (firstIndex === -1) return '+0s';
  // From one day on, seconds are left out.
  const shownParts = parts.slice(firstIndex, firstIndex === 0 ? 3 : 4);
  return `+${shownParts.map(([count, unit], index) => (index === 0 ? `${count}` : `${count}`.padStart(2, '0')) + unit).join('')}`;
}

function printMessages({ messages }: TimelineEntry, indent: string, { dim }: Colors): string[] {
  if (!messages) return [];
  return languages.flatMap((language) => {
    const { subject, body } = messages[language];
    const lines = [...(subject === undefined ? [] : [subject]), ...body.split('\n')];
    return lines.map((line, index) => indent + dim(`${(index === 0 ? language : '').padEnd(7)}${line}`));
  });
}

/** The timeline of a flow run as text. Each entry is one line with its time. Below a line is the sent message, in every language. */
export function formatTimeline(timeline: Timeline, colors: Colors): string {
  const { bold, dim, good, bad } = colors;
  const { entries, outcome, flowName, version, seconds, sends } = timeline;
  const moments = entries.map(({ atSeconds }) => formatMoment(atSeconds));
  const maxLength = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => text.length));
  const [momentWidth, stepWidth] = [maxLength(moments), maxLength(entries.map(({ step }) => step))];
  const indent = ' '.repeat(2 + momentWidth + 2 + stepWidth + 2);
  const rows = entries.flatMap((entry, index) => {
    const isStepShownAbove = entries[index - 1]?.step === entry.step && entries[index - 1]?.exit === undefined;
    const step = (isStepShownAbove ? '' : entry.step).padEnd(stepWidth);
    const exit = entry.exit === undefined ? '' : ` ${bold(entry.exit)}${dim(entry.to ? ` → ${entry.to}` : '')}`;
    const moment = dim((moments[index] ?? '').padStart(momentWidth));
    return [
      `  ${moment}  ${bold(step)}  ${entry.description}${exit}`.trimEnd(),
      ...printMessages(entry, indent, colors),
    ];
  });
  const endText = outcome === undefined ? bad('The run did not end.') : `The run ended as ${good(bold(outcome))}`;
  const durationText =
    outcome === undefined ? '' : ` after ${formatDuration(seconds)}, with ${formatCount(sends, 'message')}.`;
  const lineOf = (title: string, steps: readonly string[]) =>
    steps.length === 0 ? [] : [`${bad(title)} ${steps.join('; ')}.`];
  const stepLines = [
    ...lineOf('Unused scripted steps:', timeline.unusedScriptedSteps),
    ...lineOf('Rejected scripted steps:', timeline.rejectedScriptedSteps),
  ];
  return [bold(`${flowName} ${version}`), ...rows, '', `${endText}${durationText}`, ...stepLines, ''].join('\n');
}
