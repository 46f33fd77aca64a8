import type { TokenAttempt } from '../../domain/confirmations/commands';
import type { ConfirmationPage } from '../../domain/confirmations/page';
import { keyedHash } from '../../messages/codes';
import type { ConfirmationPageTarget } from '../../messages/links';
import type { Needs } from '../dependencies';
import { Problem } from '../http/problem';
import { CommandRejected } from '../transactions/transactions';
import { checkConfirmationCode, replyToConfirmation } from '../../workflows/contract/commands';
import type { HostedResult } from '../pages/rendered-pages';

/** What the page shows after a button was pressed. */
export interface ButtonResult {
  result: HostedResult;
  /** The label of the reply, if the button is a reply. */
  reply?: string;
}

/**
 * Sends the answer of the person to the transaction: a reply, a denial or a code. `action`: the value of the button that the person
 * pressed. Returns undefined if the page has no such button.
 */
export async function applyButton(
  dependencies: Needs<'keys' | 'transactions'>,
  page: ConfirmationPage,
  target: ConfirmationPageTarget,
  action: unknown,
): Promise<ButtonResult | undefined> {
  const { status, prompt, denialTargetId } = page;
  // The person can deny a token at any time, even after somebody used the code. After the denial, `denialTargetId` is absent.
  if (action === 'deny' && denialTargetId !== undefined)
    return { result: await resultOf(() => deny(dependencies, { ...target, confirmationId: denialTargetId })) };
  // A link with the purpose `deny` is for people who did not request the code, so it must not confirm anything.
  if (target.purpose === 'deny') return undefined;
  if (status === 'waiting' && prompt) {
    const chosenReply = prompt.replies.find(({ option }) => String(option) === action);
    return (
      chosenReply && {
        reply: chosenReply.label,
        result: await resultOf(() => reply(dependencies, target, chosenReply.option)),
      }
    );
  }
  if (status === 'waiting' && action === 'confirm' && page.digest !== undefined) {
    const answer = { name: page.confirmation, digest: page.digest };
    return { result: await resultOf(() => confirm(dependencies, target, answer)) };
  }
  return undefined;
}

/**
 * Runs `action`. Returns `closed` if the transaction rejects the action, and `unavailable` if nobody knows whether the action had an
 * effect.
 */
async function resultOf(action: () => Promise<HostedResult>): Promise<HostedResult> {
  try {
    return await action();
  } catch (error) {
    // After the page was shown, the confirmation was answered or replaced, or its time ended.
    if (error instanceof CommandRejected) return 'closed';
    if (error instanceof Problem) return 'unavailable';
    throw error;
  }
}

/** Returns the same key for each press of a button, so that two presses are one request. */
const idempotencyKeyOf = ({ keys }: Needs<'keys'>, { confirmationId }: ConfirmationPageTarget, action: string) =>
  keyedHash(keys, 'page', confirmationId, action);

/** Tells the transaction that the person did not request the confirmation. */
async function deny(
  dependencies: Needs<'keys' | 'transactions'>,
  target: ConfirmationPageTarget,
): Promise<HostedResult> {
  const { tenant, transactionId: id, confirmationId } = target;
  await dependencies.transactions.send({ tenant, id }, replyToConfirmation, {
    input: { confirmationId, reply: { deny: true } },
    identity: [confirmationId, 'deny'],
    idempotencyKey: idempotencyKeyOf(dependencies, target, 'deny'),
  });
  return 'denied';
}

/** Confirms the token without typing: the request has the digest of the correct code, which the state contains. */
async function confirm(
  dependencies: Needs<'keys' | 'transactions'>,
  target: ConfirmationPageTarget,
  answer: TokenAttempt,
): Promise<HostedResult> {
  const { tenant, transactionId: id } = target;
  const { status } = await dependencies.transactions.send({ tenant, id }, checkConfirmationCode, {
    input: answer,
    identity: [answer.name, answer.digest],
    idempotencyKey: idempotencyKeyOf(dependencies, target, 'confirm'),
  });
  return status === 'Valid' ? 'confirmed' : 'closed';
}

/** Sends the reply with this number to the confirmation. */
async function reply(
  dependencies: Needs<'keys' | 'transactions'>,
  target: ConfirmationPageTarget,
  option: number,
): Promise<HostedResult> {
  const { tenant, transactionId: id, confirmationId } = target;
  const { outcome } = await dependencies.transactions.send({ tenant, id }, replyToConfirmation, {
    input: { confirmationId, reply: { option } },
    identity: [confirmationId, option],
    idempotencyKey: idempotencyKeyOf(dependencies, target, String(option)),
  });
  return outcome === 'yes' ? 'confirmed' : 'noted';
}
