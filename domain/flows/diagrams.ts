import type { Language } from '../transactions/input';
import { type Edge, edgesOf, transitionsTaken } from './transitions';
import type { FlowDefinition, Step } from './definition';
import { describeStep, stepTexts } from './describe-step';

/** What a drawing of a flow shows about its flow runs. */
export interface DrawingOptions {
  /** Number of flow runs by step. */
  counts?: Readonly<Record<string, number>>;
  /** The visits of one flow run, in order, with their exits. */
  path?: readonly { step: string; exit?: string | undefined }[];
  /** The current step of one flow run. */
  current?: string;
  /** The language of what a step does. English by default. */
  language?: Language;
}

/** Each color for light backgrounds, then for dark backgrounds. The DOT text has the colors for light backgrounds. */
const palette = {
  background: ['#ffffff', '#14171d'],
  text: ['#1f2430', '#e8ebf0'],
  secondaryText: ['#5b6372', '#a4acba'],
  line: ['#8a93a3', '#778296'],
  boxFill: ['#f7f8fa', '#1c2129'],
  confirm: ['#1f6fb2', '#62aef0'],
  biometrics: ['#7a4fc0', '#b795f5'],
  decide: ['#9a6000', '#e8ad4c'],
  wait: ['#566070', '#a5adbb'],
  notify: ['#0f7f78', '#4fc7bd'],
  outcome: ['#3a4252', '#c3cad6'],
  good: ['#23753b', '#6fcf8a'],
  missing: ['#b3261e', '#ff8a80'],
  taken: ['#c24e0a', '#ff9a52'],
} as const;

/** For each name in `palette`, only the color for light backgrounds. */
const lightColors = Object.fromEntries(Object.entries(palette).map(([name, [color]]) => [name, color])) as Record<
  keyof typeof palette,
  string
>;

const [background, darkBackground] = palette.background;

/**
 * The style sheet of a drawing: its font and its colors for dark backgrounds. All rules apply only inside .flow-drawing, so that an
 * inline drawing does not change its page. A page whose Content-Security-Policy allows styles by hash uses the hash of this text.
 */
export const drawingStyle = `
.flow-drawing text { font-family: Verdana, 'DejaVu Sans', sans-serif; }
.flow-drawing .edge text { paint-order: stroke; stroke: ${background}; stroke-width: 4px; stroke-linejoin: round; }
.flow-drawing .faded { opacity: 0.4; }
@media (prefers-color-scheme: dark) {
  .flow-drawing .edge text { stroke: ${darkBackground}; }
${Object.values(palette)
  .map(
    ([lightColor, darkColor]) =>
      `  .flow-drawing [fill="${lightColor}"] { fill: ${darkColor}; } .flow-drawing [stroke="${lightColor}"] { stroke: ${darkColor}; }`,
  )
  .join('\n')}
}
`;

/** Characters that XML does not allow. One such character would make the whole drawing invalid. */
const invalidXmlCharacters = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** A text for an HTML-like label of Graphviz. An empty text becomes a space, because a label must not be empty. */
const escapeHtml = (text: string) =>
  text.replace(invalidXmlCharacters, '?').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`) || ' ';

/** A text as the value of an attribute in DOT. Graphviz interprets HTML entities and backslashes, so both are escaped. */
const quote = (text: string) =>
  `"${text.replace(invalidXmlCharacters, '?').replaceAll('&', '&amp;').replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;

/** Wraps a text. An ellipsis marks text that does not fit into the last line. */
function wrapText(text: string, lengthMax: number, lineCountMax: number): string[] {
  const splitWord = (word: string) => word.match(new RegExp(`.{1,${lengthMax}}`, 'gsu')) ?? [];
  const wrapped: string[] = [];
  for (const word of text.split(/\s+/).flatMap(splitWord)) {
    const last = wrapped.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= lengthMax) wrapped.splice(-1, 1, `${last} ${word}`);
    else wrapped.push(word);
  }
  if (wrapped.length <= lineCountMax) return wrapped;
  return [...wrapped.slice(0, lineCountMax - 1), `${wrapped[lineCountMax - 1]?.slice(0, lengthMax - 1)}…`];
}

const font = (text: string, color: string, size: number) =>
  `<font color="${color}" point-size="${size}">${text}</font>`;
const bold = (text: string) => `<b>${escapeHtml(text)}</b>`;
const table = (content: string, attributes: string) =>
  `<table border="0" cellborder="0" ${attributes}>${content}</table>`;

/** A table cell with the count of a step. Empty if there is no count. */
function badge(count: number | undefined, language: Language, backgroundColor: string, textColor: string): string {
  if (count === undefined) return '';
  const row = `<tr><td>${font(bold(count.toLocaleString(language)), textColor, 11)}</td></tr>`;
  const attributes = `align="right" cellspacing="0" cellpadding="3" style="rounded" bgcolor="${backgroundColor}"`;
  return `<td align="right">${table(row, attributes)}</td>`;
}

/** The label of a step: its name, its count, and what it does. */
function labelOf(
  step: string,
  definition: Step | undefined,
  { count, language }: { count: number | undefined; language: Language },
): string {
  if (definition?.kind === 'outcome') {
    const heading = `<td>${font(bold(definition.outcome), lightColors.background, 14)}</td>`;
    return table(
      `<tr>${heading}${badge(count, language, lightColors.background, lightColors.outcome)}</tr>`,
      'cellspacing="2" cellpadding="2"',
    );
  }
  const [kindLine = '', ...detailLines] = definition
    ? describeStep(definition, language)
    : [stepTexts[language].noSuchStep];
  const [heading = ''] = wrapText(step, 34, 1);
  // The count has a column of its own. If the texts extended over this column, Graphviz would widen the count with them.
  const row = (cell: string) =>
    count === undefined
      ? `<tr><td colspan="2" align="left">${cell}</td></tr>`
      : `<tr><td align="left">${cell}</td><td></td></tr>`;
  const rows = [
    `<tr><td align="left">${font(bold(heading), lightColors.text, 14)}</td>${badge(count, language, lightColors.text, lightColors.background)}</tr>`,
    row(font(bold(kindLine), lightColors[definition?.kind ?? 'missing'], 12)),
    ...detailLines
      .flatMap((line) => wrapText(line, 40, 2))
      .map((line) => row(font(escapeHtml(line), lightColors.secondaryText, 12))),
  ];
  return table(rows.join(''), 'cellspacing="1" cellpadding="2"');
}

/**
 * How the arrows are drawn, by the number of edges. Curves would take seconds for hundreds of edges. Straight lines without labels take
 * about a second for the largest flow.
 */
const layouts = [
  { edgesMax: 80, graph: 'splines=true', labels: true },
  { edgesMax: 200, graph: 'splines=line nslimit=1 nslimit1=1 mclimit=0.3', labels: true },
  { edgesMax: Infinity, graph: 'splines=line nslimit=1 nslimit1=1 mclimit=0.3', labels: false },
] as const;

/** The label of an edge. The labels of taken transitions are bold. */
function edgeLabel({ transitions }: Edge, isTaken: (exit: string) => boolean): string {
  const labels = transitions.flatMap(({ exit, label }) =>
    label === undefined ? [] : [{ label, taken: isTaken(exit) }],
  );
  const row = (label: string, taken: boolean) =>
    wrapText(label, 28, 3).map(
      (line) => `<tr><td> ${taken ? font(bold(line), lightColors.text, 12) : escapeHtml(line)} </td></tr>`,
    );
  // Short exits share a line if all or none of them were taken. Each condition has its own line.
  const isOneLine = labels.every(({ label, taken }) => label.length <= 14 && taken === labels[0]?.taken);
  const rowLabels = isOneLine
    ? [{ label: labels.map(({ label }) => label).join(', '), taken: labels[0]?.taken === true }]
    : labels;
  const rows = rowLabels.flatMap(({ label, taken }) => row(label, taken));
  return rows.length === 0 ? '' : table(rows.join(''), 'cellspacing="0" cellpadding="2"');
}

/**
 * A flow as DOT, the language of Graphviz. Each step is a box. An arrow leads to each next step. A box shows the number of flow runs that
 * `counts` has for its step, if any. If there is a `path`, its steps and exits are highlighted, and all others fade. The step `current` has
 * a dashed frame. The box of a step has the id `step-<name>`, and the kind of the step as class. Other classes are `taken`, `faded` and
 * `current`. An invalid flow is drawn too, with a box for each missing step.
 */
export function flowToDot(
  flow: FlowDefinition,
  { counts = {}, path, current, language = 'en' }: DrawingOptions = {},
): string {
  const texts = stepTexts[language];
  const edges = edgesOf(flow, language);
  const names = [...new Set([...Object.keys(flow.steps), flow.start, ...edges.map(({ to }) => to)])];
  const idOf = (step: string) => `s${names.indexOf(step)}`;
  const stepOf = (name: string) => (Object.hasOwn(flow.steps, name) ? flow.steps[name] : undefined);
  const enteredSteps = new Set(path?.map(({ step }) => step));
  const takenTransitions = transitionsTaken(flow, path ?? []);
  const highlightClass = (isTaken: boolean) => (path === undefined ? '' : isTaken ? ' taken' : ' faded');
  const outcomes = names.filter((name) => stepOf(name)?.kind === 'outcome');
  const layout = layouts.find((one) => edges.length <= one.edgesMax) ?? layouts[2];

  const drawNode = (name: string) => {
    const step = stepOf(name);
    const kind = step?.kind ?? 'missing';
    const isGood = step?.kind === 'outcome' && step.outcome === 'Confirmed';
    const color = lightColors[isGood ? 'good' : kind];
    const isHighlighted = enteredSteps.has(name) || name === current;
    const dashed = kind === 'missing' || name === current ? ',dashed' : '';
    return `${idOf(name)} [${[
      `id=${quote(`step-${name}`)}`,
      `class="${kind}${highlightClass(enteredSteps.has(name))}${name === current ? ' current' : ''}"`,
      `tooltip=${quote([name, ...(step ? describeStep(step, language) : [texts.noSuchStep])].join('\n'))}`,
      `label=<${labelOf(name, step, { count: Object.hasOwn(counts, name) ? counts[name] : undefined, language })}>`,
      `style="rounded,filled${dashed}"`,
      `color="${isHighlighted ? lightColors.taken : color}"`,
      `penwidth=${isHighlighted ? 2.6 : 1}`,
      ...(kind === 'outcome' ? [`fillcolor="${color}"`] : []),
    ].join(' ')}];`;
  };
  const drawEdge = (edge: Edge) => {
    const { from, to, transitions } = edge;
    const isTaken = (exit: string) => takenTransitions.has(`${from} ${exit}`);
    const isEdgeTaken = transitions.some(({ exit }) => isTaken(exit));
    const label = layout.labels ? edgeLabel(edge, isTaken) : '';
    const labels = transitions.flatMap(({ label: text = [] }) => text).join(', ');
    return `${idOf(from)} -> ${idOf(to)} [${[
      `class="${highlightClass(isEdgeTaken).trim()}"`,
      `tooltip=${quote(`${from} → ${to}${labels === '' ? '' : `: ${labels}`}`)}`,
      // Edges to outcomes may bend more than others.
      `weight=${outcomes.includes(to) ? 1 : 6}`,
      ...(label === '' ? [] : [`label=<${label}>`]),
      ...(isEdgeTaken ? [`color="${lightColors.taken}" penwidth=2.6`] : []),
    ].join(' ')}];`;
  };
  const startColor = enteredSteps.size > 0 ? lightColors.taken : lightColors.line;
  const name = `${flow.name} ${flow.version}`;
  const titleRows = wrapText(flow.title ?? '', 70, 3).map(
    (line) => `<tr><td align="left">${escapeHtml(line)}</td></tr>`,
  );
  const header = `<tr><td align="left">${font(bold(name), lightColors.text, 17)}</td></tr>${titleRows.join('')}`;
  return [
    'digraph {',
    `graph [class="flow-drawing" rankdir=TB nodesep=0.4 ranksep=0.35 pad=0.3 bgcolor="${lightColors.background}" ${layout.graph}`,
    `  label=<${table(header, 'cellspacing="0" cellpadding="2"')}> labelloc=t labeljust=l`,
    `  tooltip=${quote(flow.title === undefined ? name : `${name}: ${flow.title}`)}];`,
    // Graphviz knows the widths of the characters in this font. Browsers use Verdana, in which the characters have the same widths.
    `graph [fontname="DejaVu Sans" fontsize=12 fontcolor="${lightColors.secondaryText}"];`,
    `node [fontname="DejaVu Sans" fontsize=12 fontcolor="${lightColors.secondaryText}" shape=box margin="0.1,0.05" fillcolor="${lightColors.boxFill}"];`,
    `edge [fontname="DejaVu Sans" fontsize=12 fontcolor="${lightColors.secondaryText}" color="${lightColors.line}" penwidth=1.2 arrowsize=0.7];`,
    `start [shape=circle width=0.16 fixedsize=true label="" tooltip="${texts.start}" style=filled`,
    `  class="start${highlightClass(enteredSteps.size > 0)}" color="${startColor}" fillcolor="${startColor}"];`,
    ...names.map(drawNode),
    ...(outcomes.length > 1 ? [`{ rank=sink; ${outcomes.map((outcome) => `${idOf(outcome)};`).join(' ')} }`] : []),
    `start -> ${idOf(flow.start)} [class="${highlightClass(enteredSteps.size > 0).trim()}" tooltip="${texts.start}" weight=6${
      enteredSteps.size > 0 ? ` color="${startColor}" penwidth=2.6` : ''
    }];`,
    ...edges.map(drawEdge),
    '}',
    '',
  ].join('\n');
}

/** Keywords of Mermaid, which cannot be ids of states. */
const reservedIds = [
  'as',
  'class',
  'click',
  'default',
  'direction',
  'end',
  'hide',
  'note',
  'scale',
  'state',
  'style',
  'title',
];

function idOf(step: string): string {
  const id = step.replace(/\W/g, '_');
  return reservedIds.includes(id) ? `${id}_` : id;
}

/** Escapes everything that Mermaid could read as syntax or markup. */
const escape = (text: string) =>
  text.replace(/[^\p{L}\p{N} .,·()/+-]/gu, (character) => `#${character.codePointAt(0)};`);

/** A flow as a Mermaid state diagram, for documents and code reviews. An invalid flow is drawn as it is. */
export function flowToMermaid(flow: FlowDefinition): string {
  const title = `${flow.name} ${flow.version}${flow.title === undefined ? '' : `: ${flow.title}`}`;
  const states = Object.entries(flow.steps).map(([name, step]) => {
    const lines = step.kind === 'outcome' ? [step.outcome] : [name, ...describeStep(step)];
    return `  state "${lines.map(escape).join('<br/>')}" as ${idOf(name)}`;
  });
  const edges = edgesOf(flow).map(({ from, to, transitions }) => {
    const labels = transitions.flatMap(({ label = [] }) => label);
    const label = labels.length > 0 ? `: ${labels.map(escape).join(', ')}` : '';
    return `  ${idOf(from)} --> ${idOf(to)}${label}`;
  });
  const outcomes = Object.entries(flow.steps).filter(([, step]) => step.kind === 'outcome');
  return [
    '---',
    `title: ${JSON.stringify(title)}`,
    '---',
    'stateDiagram-v2',
    '  direction TB',
    ...states,
    `  [*] --> ${idOf(flow.start)}`,
    ...edges,
    ...outcomes.map(([name]) => `  ${idOf(name)} --> [*]`),
    '',
  ].join('\n');
}
