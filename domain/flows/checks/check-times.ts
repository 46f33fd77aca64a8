import type { StepCheck } from '../checking';
import { fault, outOfRange } from '../flow-fault';
import { flowLimits } from '../flow-limits';

export const checkVisits: StepCheck = (step, path) => {
  if (step.kind === 'outcome') return [];
  const { visits, spent } = step;
  if (visits === undefined && spent === undefined) return [];
  if (visits === undefined)
    return [
      fault(
        'spent-unneeded',
        `${path}.spent`,
        'spent is given, but no visits that could be.',
        'Say with visits how often the step may be entered, or take spent out.',
      ),
    ];
  const faults = outOfRange('visits-out-of-range', `${path}.visits`, visits, [1, flowLimits.visits]);
  if (spent !== undefined) return faults;
  return [
    ...faults,
    fault('spent-missing', `${path}.spent`, 'spent is missing.', 'Name the step that is taken when visits are spent.'),
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
        fault('channel-twice', `${path}.channels`, `${channel} is named twice.`, 'Name each channel once.'),
      ),
    ...outOfRange('link-out-of-range', `${path}.linkSeconds`, linkSeconds, flowLimits.linkSeconds),
    ...outOfRange(
      'decision-out-of-range',
      `${path}.decideWithinSeconds`,
      decideWithinSeconds,
      flowLimits.decideWithinSeconds,
    ),
  ];
};
