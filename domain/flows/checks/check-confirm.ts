import { settingsLimits, textChannels } from '../../confirmations/settings';
import { checkRange, createIssue, type FlowCheck, type FlowIssue, type StepCheck } from '../flow-issue';
import type { ConfirmStep } from '../definition';
import { builtInConfirmationFor } from '../step-settings';
import { quote } from '../../text';
import { boundsOf, flowLimits } from '../bounds';
import { edgesOf } from '../transitions';

/** The longest lifetime that a confirmation may have, in seconds. */
export function lifetimeMaxSeconds({ ask, channel }: Pick<ConfirmStep, 'ask' | 'channel'>): number {
  const ms =
    ask === 'token' && channel !== 'email' ? settingsLimits.phoneTokenLifetimeMs : settingsLimits.otherLifetimeMs;
  return ms / 1_000;
}

/** Reports a question on a channel on which nobody can reply. */
export const checkQuestionChannel: StepCheck = (step, path) => {
  if (step.kind !== 'confirm' || builtInConfirmationFor(step) !== undefined) return [];
  return [
    createIssue(
      'question-by-voice',
      `${path}.channel`,
      `A question cannot be asked by ${quote(step.channel)}.`,
      `Use ${textChannels.map(quote).join(', ')}, or set \`ask\` to \`token\`.`,
    ),
  ];
};

/** Checks the times and limits of a code or question. */
export const checkConfirm: StepCheck = (step, path) => {
  if (step.kind !== 'confirm') return [];
  const { expiresAfterSeconds, resendAfterSeconds, sendLimit } = step;
  const lifetimeMax = lifetimeMaxSeconds(step);
  const lifetimeIssues = checkRange('lifetime-out-of-range', `${path}.expiresAfterSeconds`, expiresAfterSeconds, [
    1,
    lifetimeMax,
  ]);
  // If the pause were longer than the lifetime, no second message could be sent.
  const pauseMax = lifetimeIssues.length > 0 ? lifetimeMax : expiresAfterSeconds;
  return [
    ...lifetimeIssues,
    ...checkRange('pause-out-of-range', `${path}.resendAfterSeconds`, resendAfterSeconds, [1, pauseMax]),
    ...checkRange('send-limit-out-of-range', `${path}.sendLimit`, sendLimit, [1, settingsLimits.sendLimit]),
    ...checkDeliverWithin(step, path),
    ...(step.ask === 'token' ? checkToken(step, path) : checkNoTokenFields(step, path)),
  ];
};

function checkDeliverWithin(
  { channel, deliverWithinSeconds, expiresAfterSeconds }: ConfirmStep,
  path: string,
): FlowIssue[] {
  if (deliverWithinSeconds === undefined) return [];
  const field = `${path}.deliverWithinSeconds`;
  if (channel === 'email')
    return [
      createIssue(
        'no-delivery-reports',
        field,
        'No provider reports whether an e-mail arrived.',
        'Remove `deliverWithinSeconds` and the exit `Undelivered`.',
      ),
    ];
  const [shortest, longest] = flowLimits.deliverWithinSeconds;
  return checkRange('deliver-within-out-of-range', field, deliverWithinSeconds, [
    shortest,
    Math.max(shortest, Math.min(longest, expiresAfterSeconds - 1)),
  ]);
}

function checkToken(step: ConfirmStep, path: string): FlowIssue[] {
  const { attemptLimit, codeDigits, resend, options } = step;
  const issues = [
    ...checkRange('attempts-out-of-range', `${path}.attemptLimit`, attemptLimit, [1, settingsLimits.attemptLimit]),
    ...checkRange('digits-out-of-range', `${path}.codeDigits`, codeDigits, settingsLimits.codeDigits),
  ];
  if (resend === undefined)
    issues.push(
      createIssue('resend-missing', `${path}.resend`, '`resend` is missing.', 'Set it to `reuse` or `rotate`.'),
    );
  if (options !== undefined)
    issues.push(
      createIssue(
        'replies-on-code',
        `${path}.options`,
        'A code has no `options`.',
        'Remove `options`, or set `ask` to `reply`.',
      ),
    );
  return issues;
}

function checkNoTokenFields(step: ConfirmStep, path: string): FlowIssue[] {
  return (['attemptLimit', 'codeDigits', 'resend'] as const)
    .filter((field) => step[field] !== undefined)
    .map((field) =>
      createIssue(
        'token-field-on-question',
        `${path}.${field}`,
        `A question has no ${quote(field)}.`,
        'Remove the field, or set `ask` to `token`.',
      ),
    );
}

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
