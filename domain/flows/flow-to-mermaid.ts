import { edgesOf } from './transitions';
import type { FlowDefinition } from './definition';
import { describeStep } from './describe-step';

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
