import { boundsOf } from '../bounds';
import type { FlowCheck } from '../checking';
import { fault, type FlowFault, outOfRange } from '../flow-fault';
import { flowLimits } from '../flow-limits';

export const checkSize: FlowCheck = ({ flow, steps, unread }) => [
  ...outOfRange('version-out-of-range', 'version', flow.version, [1, flowLimits.version]),
  ...(steps.size + unread.size <= flowLimits.steps
    ? []
    : [
        fault(
          'too-many-steps',
          'steps',
          `There are ${steps.size + unread.size} steps.`,
          `Keep to ${flowLimits.steps}; a second flow may follow the first.`,
        ),
      ]),
];

const days = (seconds: number) => Math.ceil((seconds / 86_400) * 10) / 10;

/** Finds what the longest way through a flow takes too much of. For flows of which nothing else is wrong. */
export const checkTotals: FlowCheck = ({ flow }) => {
  const { seconds, sends, stays } = boundsOf(flow);
  if (!Number.isFinite(seconds))
    return [
      fault(
        'too-many-ways',
        'steps',
        `There are more than ${flowLimits.places} ways that steps and visits may come together.`,
        'Lower visits, or give them to fewer steps.',
      ),
    ];
  const faults: FlowFault[] = [];
  if (seconds > flowLimits.runSeconds)
    faults.push(
      fault(
        'too-long',
        'steps',
        `The longest way takes ${days(seconds)} days.`,
        `Shorten times or lower visits: a run may take ${days(flowLimits.runSeconds)} days.`,
      ),
    );
  if (stays > flowLimits.stays)
    faults.push(
      fault(
        'too-many-stays',
        'steps',
        `The longest way enters ${stays} steps.`,
        `Lower visits or take steps out: a run may enter ${flowLimits.stays}.`,
      ),
    );
  if (sends > flowLimits.sends)
    faults.push(
      fault(
        'too-many-sends',
        'steps',
        `The way with the most messages sends ${sends}.`,
        `Lower sendLimit or visits: a run may send ${flowLimits.sends}.`,
      ),
    );
  return faults;
};
