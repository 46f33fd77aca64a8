import { type CheckContext, createIssue, type FlowCheck, type FlowIssue, type StepCheck } from './flow-issue';
import {
  checkQuestionChannel,
  checkConfirm,
  checkSize,
  checkTimes,
  checkTotals,
  checkVisits,
} from './checks/check-confirm';
import { checkFlowNames, checkRules, checkStepNames } from './checks/check-rules';
import { checkEnds, checkExits, checkLoops, checkReach, checkStart, checkTargets } from './checks/check-ways';
import { checkReplies } from './checks/check-replies';
import { checkText } from './checks/check-text';
import { checkValues } from './checks/check-values';
import { type FlowDefinition, FlowError, type Step, type Templates } from './definition';
import { flowLimits } from './bounds';
import { quote } from '../text';

const flowChecks: readonly FlowCheck[] = [checkSize, checkFlowNames, checkValues, checkStart, checkReach, checkEnds];

const stepChecks: readonly StepCheck[] = [checkStepNames, checkVisits, checkTargets, checkRules, checkTimes];
/**
 * If `checkQuestionChannel` finds an issue, such as a question by voice, these checks are skipped, because they would report the same mistake
 * again.
 */
const confirmChecks: readonly StepCheck[] = [checkExits, checkConfirm, checkText, checkReplies];

/** `malformedSteps`: names of steps with an invalid shape. By default, there are none. */
type CheckOptions = Pick<CheckContext, 'templates' | 'checkCondition' | 'checkMessage'> & {
  malformedSteps?: CheckContext['malformedSteps'] | undefined;
};

/**
 * The issues of a flow. Empty if the flow is valid. Steps are checked until `flowLimits.issues` issues are found. Without `checkCondition`,
 * only the names in conditions are checked. Never throws if the definition has the right types. If a definition is too large, only its size
 * is reported. The totals of time, messages and steps are checked only if there is no other issue.
 */
export function checkFlow(
  flow: FlowDefinition,
  { templates, checkCondition, checkMessage, malformedSteps = new Set() }: CheckOptions,
): readonly FlowIssue[] {
  const text = textOf(flow);
  if (text === undefined)
    return [
      createIssue(
        'not-plain-data',
        '',
        'The definition is not plain data.',
        'Use only objects, lists, texts and numbers.',
      ),
    ];
  const bytes = bytesOf(text);
  if (bytes > flowLimits.definitionBytes)
    return [
      createIssue(
        'definition-too-large',
        '',
        `The definition has ${bytes} bytes as JSON.`,
        `Use at most ${flowLimits.definitionBytes} bytes. Shorten texts, or use templates instead of your own messages.`,
      ),
    ];
  // The flow is checked in the form in which it is stored: JSON drops undefined fields.
  const storedFlow = JSON.parse(text) as FlowDefinition;
  const context: CheckContext = {
    flow: storedFlow,
    steps: new Map(Object.entries(storedFlow.steps)),
    malformedSteps,
    templates,
    checkCondition,
    checkMessage,
  };
  const issues = flowChecks.flatMap((check) => [...check(context)]);
  for (const [name, step] of context.steps) {
    if (issues.length >= flowLimits.issues) break;
    issues.push(...stepIssues(name, step, context));
  }
  if (context.steps.size <= flowLimits.steps) issues.push(...checkLoops(context));
  return issues.length > 0 || malformedSteps.size > 0 ? issues : [...checkTotals(context)];
}

function stepIssues(name: string, step: Step, context: CheckContext): FlowIssue[] {
  const path = `steps.${name}`;
  const rootCauses = [...checkQuestionChannel(step, path, context)];
  const checks = rootCauses.length > 0 ? stepChecks : [...stepChecks, ...confirmChecks];
  return [...rootCauses, ...checks.flatMap((check) => [...check(step, path, context)])];
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

/** The issues of a flow. Throws FlowError for a value that is not a flow. A file can have such a value if its types were not checked. */
function issuesOf(templates: Templates, flow: FlowDefinition): readonly FlowIssue[] {
  try {
    return checkFlow(flow, { templates });
  } catch (error) {
    throw new FlowError(`The flow ${quote(flow.name)} is not a valid flow: ${(error as Error).message}`, flow);
  }
}

/**
 * Checks and returns a flow that is being loaded. Throws one FlowError with all issues. Conditions are parsed later, when the flow is
 * registered, so that flow files need no library for CEL, the language of conditions.
 */
export function defineFlow(templates: Templates, flow: FlowDefinition): FlowDefinition {
  const issues = issuesOf(templates, flow);
  if (issues.length === 0) return flow;
  const lines = issues.map(({ path, message, fix }) => `  ${path || 'the definition'}: ${message} ${fix}`);
  throw new FlowError([`The flow ${quote(flow.name)} is invalid:`, ...lines].join('\n'), flow);
}
