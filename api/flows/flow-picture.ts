import { type Arrow, arrowsOf } from '../../domain/flows/arrows-of';
import type { FlowDefinition, Step } from '../../domain/flows/definition';
import { stepWords } from '../../domain/flows/step-words';
import { textWidth, wrapText } from './text-size';

interface Size {
  /** Pixels. */
  width: number;
  height: number;
}

/** A step as it is drawn. */
export interface Box extends Size {
  step: string;
  kind: Step['kind'] | 'missing';
  /** What its symbol shows: a channel where it has one. Outcomes have no symbol. */
  symbol?: string;
  /** Of an outcome: the one that is hoped for. */
  good?: boolean;
  heading: string;
  lines: readonly string[];
  /** Everything about it, for those who point at it or have it read out. */
  title: string;
}

export interface Line extends Size {
  /** Undefined: where the run begins. */
  from?: string;
  to: string;
  lines: readonly string[];
  title: string;
}

/** What is to be drawn, measured and not yet placed. */
export interface FlowPicture {
  boxes: readonly Box[];
  lines: readonly Line[];
}

export const sizes = { heading: 14, text: 12, lineHeight: 17, labelHeight: 15, boxPadding: 14, symbol: 30 } as const;

const bold = (size: number) => size * 1.12;

const widest = (texts: readonly string[], size: number) => Math.max(0, ...texts.map((text) => textWidth(text, size)));

function boxOf(step: string, definition: Step): Box {
  const words = stepWords(definition);
  const title = [step, ...words].join('\n');
  const { kind } = definition;
  if (definition.kind === 'outcome') {
    const { outcome } = definition;
    const width = Math.round(textWidth(outcome, bold(sizes.heading)) + 32);
    return {
      step,
      kind,
      good: outcome === 'Confirmed',
      heading: outcome,
      lines: [],
      title,
      width,
      height: 36,
    };
  }
  const lines = words.flatMap((line) => wrapText(line, { letters: 34, lines: 2 }));
  const [heading = step] = wrapText(step, { letters: 34, lines: 1 });
  const text = Math.max(
    widest([heading], bold(sizes.heading)),
    widest(lines.slice(0, 1), bold(sizes.text)),
    widest(lines, sizes.text),
  );
  return {
    step,
    kind,
    symbol: definition.kind === 'confirm' ? definition.channel : kind,
    heading,
    lines,
    title,
    width: Math.round(text + sizes.symbol + 2 * sizes.boxPadding),
    height: 2 * sizes.boxPadding + 16 + lines.length * sizes.lineHeight,
  };
}

/** A step that does not exist: a faulty flow can be looked at too. */
const missingBox = (step: string): Box => {
  const heading = wrapText(step, { letters: 34, lines: 1 })[0] ?? '';
  const width = Math.round(Math.max(textWidth(heading, bold(sizes.heading)), 90) + sizes.symbol + 2 * sizes.boxPadding);
  const [lines, title] = [['no such step'], `${step}\nno such step`];
  return { step, kind: 'missing', symbol: 'missing', heading, lines, title, width, height: 60 };
};

function lineOf({ from, to, labels }: Arrow): Line {
  // Short exits share a line; conditions stand each on their own.
  const short = labels.every((label) => label.length <= 14);
  const lines = (short ? [labels.join(', ')] : labels).flatMap((label) =>
    label === '' ? [] : wrapText(label, { letters: 26, lines: 3 }),
  );
  const width = lines.length > 0 ? Math.round(widest(lines, bold(sizes.text)) + 14) : 0;
  return {
    from,
    to,
    lines,
    title: labels.join('\n'),
    width,
    height: lines.length * sizes.labelHeight + (lines.length > 0 ? 6 : 0),
  };
}

/** Measures what a flow's drawing has to show. */
export function pictureOf(flow: FlowDefinition): FlowPicture {
  const arrows = arrowsOf(flow);
  const named = [...new Set([flow.start, ...arrows.map(({ to }) => to)])];
  const missing = named.filter((step) => !Object.hasOwn(flow.steps, step));
  return {
    boxes: [
      ...Object.entries(flow.steps).map(([step, definition]) => boxOf(step, definition)),
      ...missing.map(missingBox),
    ],
    lines: [{ to: flow.start, lines: [], title: '', width: 0, height: 0 }, ...arrows.map(lineOf)],
  };
}
