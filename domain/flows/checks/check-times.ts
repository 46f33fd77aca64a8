import type { StepCheck } from '../check-context';
import { createIssue, checkRange } from '../flow-issue';
import { flowLimits } from '../flow-limits';
import { quote } from '../../quote';

/** Checks `visits` and `exhausted` of a step. */
export const checkVisits: StepCheck = (step, path) => {
  if (step.kind === 'outcome') return [];
  const { visits, exhausted } = step;
  if (visits === undefined && exhausted === undefined) return [];
  if (visits === undefined)
    return [
      createIssue(
        'exhausted-unneeded',
        `${path}.exhausted`,
        '`visits` is missing, but `exhausted` is set.',
        'Set `visits`, or remove `exhausted`.',
      ),
    ];
  const issues = checkRange('visits-out-of-range', `${path}.visits`, visits, [1, flowLimits.visits]);
  if (exhausted !== undefined) return issues;
  return [
    ...issues,
    createIssue(
      'exhausted-missing',
      `${path}.exhausted`,
      '`exhausted` is missing.',
      'Write the name of the step that the run enters when no visits are left.',
    ),
  ];
};

/** Checks the times and channels of a wait, notify or biometrics step. */
export const checkTimes: StepCheck = (step, path) => {
  if (step.kind === 'wait')
    return checkRange('wait-out-of-range', `${path}.seconds`, step.seconds, flowLimits.waitSeconds);
  if (step.kind === 'notify')
    return checkRange(
      'give-up-out-of-range',
      `${path}.giveUpAfterSeconds`,
      step.giveUpAfterSeconds,
      flowLimits.giveUpAfterSeconds,
    );
  if (step.kind !== 'biometrics') return [];
  const { channels, linkSeconds, decideWithinSeconds } = step;
  const duplicates = channels.filter((channel, index) => channels.indexOf(channel) !== index);
  return [
    ...duplicates
      .slice(0, 1)
      .map((channel) =>
        createIssue(
          'channel-twice',
          `${path}.channels`,
          `${quote(channel)} is listed twice.`,
          'List each channel once.',
        ),
      ),
    ...checkRange('link-seconds-out-of-range', `${path}.linkSeconds`, linkSeconds, flowLimits.linkSeconds),
    ...checkRange(
      'decide-within-out-of-range',
      `${path}.decideWithinSeconds`,
      decideWithinSeconds,
      flowLimits.decideWithinSeconds,
    ),
  ];
};
