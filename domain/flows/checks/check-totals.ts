import { boundsOf } from '../bounds';
import type { FlowCheck } from '../check-context';
import { createIssue, type FlowIssue, checkRange } from '../flow-issue';
import { flowLimits } from '../flow-limits';
import { edgesOf } from '../transitions';

/** Checks the version of a flow, the number of its steps, and the size of its diagram. */
export const checkSize: FlowCheck = ({ flow, steps, malformedSteps }) => [
  ...arrowIssues(edgesOf(flow).length),
  ...checkRange('version-out-of-range', 'version', flow.version, [1, flowLimits.version]),
  ...(steps.size + malformedSteps.size <= flowLimits.steps
    ? []
    : [
        createIssue(
          'too-many-steps',
          'steps',
          `The flow has ${steps.size + malformedSteps.size} steps.`,
          `Use at most ${flowLimits.steps} steps. For more steps, start a second flow after this one.`,
        ),
      ]),
];

const arrowIssues = (arrows: number): FlowIssue[] =>
  arrows <= flowLimits.arrows
    ? []
    : [
        createIssue(
          'too-many-arrows',
          'steps',
          `The diagram of the flow has ${arrows} arrows: each step has one arrow to each of its different next steps.`,
          `Let more exits of a step lead to the same step, or split the flow. A flow may have at most ${flowLimits.arrows} arrows.`,
        ),
      ];

/** Seconds as days, rounded up to one decimal. */
const toDays = (seconds: number) => Math.ceil((seconds / 86_400) * 10) / 10;

/** Checks the longest time, the most messages and the most steps of a flow run. */
export const checkTotals: FlowCheck = ({ flow }) => {
  const { seconds, sends, stepsEntered } = boundsOf(flow);
  if (!Number.isFinite(seconds))
    return [
      createIssue(
        'too-many-paths',
        'steps',
        'The loops of the flow are too large to check.',
        'Decrease `visits`, or set `visits` on fewer steps.',
      ),
    ];
  const issues: FlowIssue[] = [];
  if (seconds > flowLimits.runSeconds)
    issues.push(
      createIssue(
        'run-time-too-long',
        'steps',
        `The longest path takes ${toDays(seconds)} days.`,
        `Shorten the times of steps, or decrease \`visits\`. A run may take at most ${toDays(flowLimits.runSeconds)} days.`,
      ),
    );
  if (stepsEntered > flowLimits.stepsEntered)
    issues.push(
      createIssue(
        'too-many-steps-entered',
        'steps',
        `The longest path enters ${stepsEntered} steps.`,
        `Decrease \`visits\`, or remove steps. A run may enter at most ${flowLimits.stepsEntered} steps.`,
      ),
    );
  if (sends > flowLimits.sends)
    issues.push(
      createIssue(
        'too-many-sends',
        'steps',
        `One path sends ${sends} messages.`,
        `Decrease \`sendLimit\` or \`visits\`. A run may send at most ${flowLimits.sends} messages.`,
      ),
    );
  return issues;
};
