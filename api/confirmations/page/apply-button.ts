import type { HostedPage } from '../../../domain/hosted-page';
import { digestCode, fingerprint } from '../../../platform/codes';
import type { LinkTarget } from '../../../platform/links';
import type { Dependencies } from '../../dependencies';
import { Problem } from '../../http/problem';
import { CommandRejected } from '../../temporal/transactions';
import { answerConfirmation, replyToConfirmation } from '../../../workflows/contract';
import type { PageResult } from './page-texts';

/** How a press turned out. */
export interface ButtonResult {
  result: PageResult;
  /** The label of the reply that the button stands for, when it stands for one. */
  replied?: string;
}

/** Takes a press of a button; undefined, and nothing is taken, for none that the page offers. */
export async function applyButton(
  dependencies: Dependencies,
  page: HostedPage,
  target: LinkTarget,
  action: unknown,
): Promise<ButtonResult | undefined> {
  const { status, prompt, deniable } = page;
  const denies = action === 'deny' && deniable !== undefined;
  if (denies && (target.purpose === 'deny' || status === 'waiting' || status === 'superseded'))
    return { result: await carriedOut(() => deny(dependencies, { ...target, confirmationId: deniable })) };
  // Mails label this link as a denial: nothing else may come of it, whatever the form says.
  if (target.purpose === 'deny') return undefined;
  if (status === 'waiting' && prompt) {
    const pressed = prompt.replies.find(({ option }) => String(option) === action);
    return (
      pressed && { replied: pressed.label, result: await carriedOut(() => reply(dependencies, target, pressed.option)) }
    );
  }
  if (status === 'waiting' && action === 'confirm')
    return { result: await carriedOut(() => confirm(dependencies, target, page)) };
  return undefined;
}

async function carriedOut(act: () => Promise<PageResult>): Promise<PageResult> {
  try {
    return await act();
  } catch (error) {
    // Closed between the look and the press.
    if (error instanceof CommandRejected) return 'closed';
    if (error instanceof Problem) return 'unavailable';
    throw error;
  }
}

/** A button pressed twice is one answer. */
const keyOf = ({ keys }: Dependencies, { confirmationId }: LinkTarget, action: string) =>
  fingerprint(keys, 'page', confirmationId, action);

async function deny(dependencies: Dependencies, target: LinkTarget): Promise<PageResult> {
  const { tenant, transactionId: id, confirmationId } = target;
  await dependencies.transactions.send({ tenant, id }, replyToConfirmation, {
    input: { confirmationId, reply: { deny: true } },
    identity: [confirmationId, 'deny'],
    idempotencyKey: keyOf(dependencies, target, 'deny'),
  });
  return 'denied';
}

async function confirm(
  dependencies: Dependencies,
  target: LinkTarget,
  { confirmation, codeDigits }: HostedPage,
): Promise<PageResult> {
  const { tenant, transactionId: id, confirmationId } = target;
  const digest = digestCode(dependencies.keys, id, confirmationId, { name: confirmation, codeDigits });
  const { status } = await dependencies.transactions.send({ tenant, id }, answerConfirmation, {
    input: { flow: confirmation, digest },
    identity: [confirmation, digest],
    idempotencyKey: keyOf(dependencies, target, 'confirm'),
  });
  return status === 'Valid' ? 'confirmed' : 'closed';
}

async function reply(dependencies: Dependencies, target: LinkTarget, option: number): Promise<PageResult> {
  const { tenant, transactionId: id, confirmationId } = target;
  const { outcome } = await dependencies.transactions.send({ tenant, id }, replyToConfirmation, {
    input: { confirmationId, reply: { option } },
    identity: [confirmationId, option],
    idempotencyKey: keyOf(dependencies, target, String(option)),
  });
  return outcome === 'yes' ? 'confirmed' : 'noted';
}
