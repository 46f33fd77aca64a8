import type { CheckContext, FlowCheck, StepCheck } from './check-context';
import { checkAsk, checkConfirm } from './checks/check-confirm';
import { checkFlowNames, checkStepNames } from './checks/check-names';
import { checkEnds, checkLoops, checkReach } from './checks/check-reach';
import { checkReplies } from './checks/check-replies';
import { checkRules } from './checks/check-rules';
import { checkText } from './checks/check-text';
import { checkTimes, checkVisits } from './checks/check-times';
import { checkSize, checkTotals } from './checks/check-totals';
import { checkExits, checkStart, checkTargets } from './checks/check-exits';
import type { FlowDefinition } from './definition';
import { issue, type FlowIssue } from './flow-issue';
import { flowLimits } from './flow-limits';

const flowChecks: readonly FlowCheck[] = [checkSize, checkFlowNames, checkStart, checkReach, checkEnds];

const stepChecks: readonly StepCheck[] = [checkStepNames, checkVisits, checkTargets, checkRules, checkTimes];
/** Of steps that ask what their channel can carry: of others, these would tell what follows from that alone. */
const askChecks: readonly StepCheck[] = [checkExits, checkConfirm, checkText, checkReplies];

/** What is known beside a flow. Without `unread`, all of its steps could be read. */
type CheckOptions = Pick<CheckContext, 'templates' | 'checkCondition'> & {
  unread?: CheckContext['unread'] | undefined;
};

/**
 * Finds everything that is wrong with a flow; an empty list when it can run. `checkCondition` tells what is wrong with a
 * condition; without it conditions are looked at for their names alone.
 * Never throws for a definition of the right types.
 * A definition too large is not looked into, and totals are told when nothing else is wrong and every step could be read.
 */
export function checkFlow(
  flow: FlowDefinition,
  { templates, checkCondition, unread = new Set() }: CheckOptions,
): readonly FlowIssue[] {
  const text = textOf(flow);
  if (text === undefined)
    return [
      issue('not-plain-data', '', 'The definition is not plain data.', 'Use only objects, lists, texts and numbers.'),
    ];
  const bytes = bytesOf(text);
  if (bytes > flowLimits.definitionBytes)
    return [
      issue(
        'definition-too-large',
        '',
        `The definition has ${bytes} bytes as JSON.`,
        `Use at most ${flowLimits.definitionBytes} bytes. Move texts to templates.`,
      ),
    ];
  // As it will travel: what JSON leaves out is not there.
  const plain = JSON.parse(text) as FlowDefinition;
  const checking: CheckContext = {
    flow: plain,
    steps: new Map(Object.entries(plain.steps)),
    unread,
    templates,
    checkCondition,
  };
  const issues = [
    ...flowChecks.flatMap((check) => [...check(checking)]),
    ...[...checking.steps].flatMap(([name, step]) => {
      const path = `steps.${name}`;
      const rootCauses = [...checkAsk(step, path, checking)];
      const checks = rootCauses.length > 0 ? stepChecks : [...stepChecks, ...askChecks];
      return [...rootCauses, ...checks.flatMap((check) => [...check(step, path, checking)])];
    }),
    ...(checking.steps.size <= flowLimits.steps ? checkLoops(checking) : []),
  ];
  return issues.length > 0 || unread.size > 0 ? issues : [...checkTotals(checking)];
}

function textOf(flow: FlowDefinition): string | undefined {
  try {
    return JSON.stringify(flow);
  } catch {
    return undefined;
  }
}

/** Bytes in UTF-8. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
