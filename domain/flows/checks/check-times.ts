import type { StepCheck } from '../check-context';
import { issue, outOfRange } from '../flow-issue';
import { flowLimits } from '../flow-limits';

export const checkVisits: StepCheck = (step, path) => {
  if (step.kind === 'outcome') return [];
  const { visits, exhausted } = step;
  if (visits === undefined && exhausted === undefined) return [];
  if (visits === undefined)
    return [
      issue(
        'exhausted-unneeded',
        `${path}.exhausted`,
        'exhausted is set, but visits is not.',
        'Set visits, or remove exhausted.',
      ),
    ];
  const issues = outOfRange('visits-out-of-range', `${path}.visits`, visits, [1, flowLimits.visits]);
  if (exhausted !== undefined) return issues;
  return [
    ...issues,
    issue(
      'exhausted-missing',
      `${path}.exhausted`,
      'exhausted is missing.',
      'Name the step that follows the last visit.',
    ),
  ];
};

export const checkTimes: StepCheck = (step, path) => {
  if (step.kind === 'wait')
    return outOfRange('wait-out-of-range', `${path}.seconds`, step.seconds, flowLimits.waitSeconds);
  if (step.kind === 'notify')
    return outOfRange(
      'give-up-out-of-range',
      `${path}.giveUpAfterSeconds`,
      step.giveUpAfterSeconds,
      flowLimits.giveUpAfterSeconds,
    );
  if (step.kind !== 'biometrics') return [];
  const { channels, linkSeconds, decideWithinSeconds } = step;
  const twice = channels.filter((channel, index) => channels.indexOf(channel) !== index);
  return [
    ...twice
      .slice(0, 1)
      .map((channel) =>
        issue('channel-twice', `${path}.channels`, `${channel} is listed twice.`, 'List each channel once.'),
      ),
    ...outOfRange('link-seconds-out-of-range', `${path}.linkSeconds`, linkSeconds, flowLimits.linkSeconds),
    ...outOfRange(
      'decide-within-out-of-range',
      `${path}.decideWithinSeconds`,
      decideWithinSeconds,
      flowLimits.decideWithinSeconds,
    ),
  ];
};
