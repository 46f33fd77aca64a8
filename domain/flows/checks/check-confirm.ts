import { settingsLimits } from '../../confirmation-settings';
import type { StepCheck } from '../check-context';
import type { ConfirmStep } from '../definition';
import { createIssue, type FlowIssue, checkRange } from '../flow-issue';
import { builtInConfirmationFor } from '../step-settings';
import { quote } from '../../quote';

/** The longest lifetime that a confirmation may have, in seconds. */
export function lifetimeMaxSeconds({ ask, channel }: Pick<ConfirmStep, 'ask' | 'channel'>): number {
  const ms =
    ask === 'token' && channel !== 'email' ? settingsLimits.smsTokenLifetimeMs : settingsLimits.otherLifetimeMs;
  return ms / 1_000;
}

/** Reports a code on a channel that does not support codes. */
export const checkCodeChannel: StepCheck = (step, path) => {
  if (step.kind !== 'confirm' || builtInConfirmationFor(step) !== undefined) return [];
  return [
    createIssue(
      'code-on-whatsapp',
      `${path}.channel`,
      `A code cannot be sent by ${quote(step.channel)}.`,
      'Use `sms` or `email`, or ask for a reply.',
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
    ...(step.ask === 'token' ? checkToken(step, path) : checkNoTokenFields(step, path)),
  ];
};

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
