import { boundsOf } from '../../domain/flows/bounds';
import type { FlowFault } from '../../domain/flows/flow-fault';
import { countWords, durationWords } from '../../domain/flows/step-words';
import type { Colours } from './colours';
import type { OpenFlow } from './open-flow';

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
