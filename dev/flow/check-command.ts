import { faultsHere } from '../../api/flows/flow-invalid';
import { judgeFlow } from '../../api/flows/judge-flow';
import { readFlow } from '../../api/flows/read-flow';
import { boundsOf } from '../../domain/flows/bounds';
import type { FlowDefinition } from '../../domain/flows/definition';
import type { FlowFault } from '../../domain/flows/flow-fault';
import { flowLimits } from '../../domain/flows/flow-limits';
import { countWords, durationWords } from '../../domain/flows/step-words';
import type { Colours } from './colours';
import type { OpenFlow } from './open-flow';

/** A flow as JSON has it; undefined when it is no plain data. */
function plainOf(flow: FlowDefinition): unknown {
  try {
    return JSON.parse(JSON.stringify(flow));
  } catch {
    return undefined;
  }
}

/** What keeps a flow from being one at all, such as a field that is missing. What is no plain data has no shape to tell of. */
function shapeFaultsOf(flow: FlowDefinition): readonly FlowFault[] {
  const plain = plainOf(flow);
  const read = plain === undefined ? { flow } : readFlow(plain);
  return 'faults' in read ? read.faults : [];
}

/**
 * Whether there is something to draw: the shape of a flow, of a size that can be laid out. It may have any other fault, such
 * as an exit that leads to no step.
 */
export function isDrawable(flow: FlowDefinition): boolean {
  const version = Number.isInteger(flow.version) ? flow.version : 1;
  const steps = Object.keys(flow.steps ?? {}).length;
  const shaped = shapeFaultsOf({ ...flow, version }).every(({ code }) => code === 'field-unknown');
  return shaped && steps > 0 && steps <= 2 * flowLimits.steps;
}

/** Every fault of a flow under the texts that are deployed, of a .json those that PUT /v1/flows/{name} tells. */
export function faultsOf({ flow, faults }: Pick<OpenFlow, 'flow' | 'faults'>): readonly FlowFault[] {
  if (faults) return faults;
  const plain = plainOf(flow);
  if (plain === undefined) return faultsHere(flow);
  const judged = judgeFlow(plain);
  return 'faults' in judged ? judged.faults : faultsHere(flow);
}

/** The faults of a flow for a person to read: where, what, and how to mend it. */
export function printFaults(file: string, faults: readonly FlowFault[], { bold, soft, bad }: Colours): string {
  const lines = faults.flatMap(({ code, path, message, mend }) => [
    `  ${bold(path === '' ? 'the whole flow' : path)} ${soft(`[${code}]`)}`,
    `    ${message}`,
    `    ${mend}`,
  ]);
  return [`${file}: ${bad(countWords(faults.length, 'fault'))}`, ...lines, ''].join('\n');
}

/** What a good flow is and takes at most, in words. */
export function printBounds({ file, flow }: OpenFlow, { good, bold }: Colours): string {
  const { seconds, sends } = boundsOf(flow);
  const steps = Object.values(flow.steps);
  const ends = new Set(steps.flatMap((step) => (step.kind === 'outcome' ? [step.outcome] : [])));
  return [
    `${file}: ${good('good')}`,
    `  ${bold(`${flow.name} ${flow.version}`)} has ${countWords(steps.length, 'step')} and ends as ${[...ends].join(', ')}.`,
    `  A run takes at most ${durationWords(seconds)} and sends at most ${countWords(sends, 'message')}.`,
    '',
  ].join('\n');
}
