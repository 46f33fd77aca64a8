import { settingsMaxima } from '../../confirmation-settings';
import type { StepCheck } from '../check-context';
import type { ConfirmStep } from '../definition';
import { issue, type FlowIssue, outOfRange } from '../flow-issue';
import { confirmationIdentityOf } from '../step-settings';

/** The longest lifetime of a confirmation, in seconds. */
export function lifetimeMax({ ask, channel }: Pick<ConfirmStep, 'ask' | 'channel'>): number {
  const ms = ask === 'token' && channel !== 'email' ? settingsMaxima.tokenBySmsMs : settingsMaxima.otherLifetimeMs;
  return ms / 1_000;
}

/** Reports a code on a channel that cannot carry codes. Until the author changes one of the two, other checks make no sense. */
export const checkAsk: StepCheck = (step, path) => {
  if (step.kind !== 'confirm' || confirmationIdentityOf(step) !== undefined) return [];
  return [
    issue(
      'code-on-whatsapp',
      `${path}.channel`,
      `A code cannot be sent by ${step.channel}.`,
      'Use sms or email, or ask for a reply.',
    ),
  ];
};

export const checkConfirm: StepCheck = (step, path) => {
  if (step.kind !== 'confirm') return [];
  const { expiresAfterSeconds, resendAfterSeconds, sendLimit } = step;
  const lifeMax = lifetimeMax(step);
  const life = outOfRange('lifetime-out-of-range', `${path}.expiresAfterSeconds`, expiresAfterSeconds, [1, lifeMax]);
  // If the pause is longer than the lifetime, no message could be sent again.
  const pauseMax = life.length > 0 ? lifeMax : expiresAfterSeconds;
  return [
    ...life,
    ...outOfRange('pause-out-of-range', `${path}.resendAfterSeconds`, resendAfterSeconds, [1, pauseMax]),
    ...outOfRange('send-limit-out-of-range', `${path}.sendLimit`, sendLimit, [1, settingsMaxima.sendLimit]),
    ...(step.ask === 'token' ? checkToken(step, path) : checkNoToken(step, path)),
  ];
};

function checkToken(step: ConfirmStep, path: string): FlowIssue[] {
  const { attemptLimit, codeDigits, resend, options } = step;
  const issues = [
    ...outOfRange('attempts-out-of-range', `${path}.attemptLimit`, attemptLimit, [1, settingsMaxima.attemptLimit]),
    ...outOfRange('digits-out-of-range', `${path}.codeDigits`, codeDigits, settingsMaxima.codeDigits),
  ];
  if (resend === undefined)
    issues.push(issue('resend-missing', `${path}.resend`, 'resend is missing.', 'Set it to reuse or rotate.'));
  if (options !== undefined)
    issues.push(
      issue('replies-on-code', `${path}.options`, 'A code has no options.', 'Remove them, or ask for a reply.'),
    );
  return issues;
}

function checkNoToken(step: ConfirmStep, path: string): FlowIssue[] {
  return (['attemptLimit', 'codeDigits', 'resend'] as const)
    .filter((field) => step[field] !== undefined)
    .map((field) =>
      issue(
        'token-field-on-question',
        `${path}.${field}`,
        `A question has no ${field}.`,
        'Remove it, or ask for a token.',
      ),
    );
}
