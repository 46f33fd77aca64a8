import type { PersonsPage } from '../../../domain/persons-page';
import { digestCode, fingerprint } from '../../../platform/codes';
import type { LinkTarget } from '../../../platform/links';
import type { Dependencies } from '../../dependencies';
import { Problem } from '../../http/problem';
import { CommandRejected } from '../../temporal/transactions';
import { answerConfirmation, replyToConfirmation } from '../../../workflows/contract';
import type { PageResult } from './words';

/** How a press turned out. */
export interface Pressed {
  result: PageResult;
  /** The label of the reply that the button stands for, when it stands for one. */
  replied?: string;
}

/** Takes a press of a button; undefined, and nothing is taken, for none that the page offers. */
export async function press(
  parts: Dependencies,
  page: PersonsPage,
  target: LinkTarget,
  action: unknown,
): Promise<Pressed | undefined> {
  const { status, question, deniable } = page;
  const denies = action === 'deny' && deniable !== undefined;
  if (denies && (target.purpose === 'deny' || status === 'waiting' || status === 'superseded'))
    return { result: await carriedOut(() => deny(parts, { ...target, confirmationId: deniable })) };
  // Mails label this link as a denial: nothing else may come of it, whatever the form says.
  if (target.purpose === 'deny') return undefined;
  if (status === 'waiting' && question) {
    const pressed = question.replies.find(({ option }) => String(option) === action);
    return pressed && { replied: pressed.label, result: await carriedOut(() => reply(parts, target, pressed.option)) };
  }
  if (status === 'waiting' && action === 'confirm')
    return { result: await carriedOut(() => confirm(parts, target, page)) };
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

async function deny(parts: Dependencies, target: LinkTarget): Promise<PageResult> {
  const { tenant, transactionId: id, confirmationId } = target;
  await parts.transactions.send({ tenant, id }, replyToConfirmation, {
    input: { confirmationId, reply: { deny: true } },
    identity: [confirmationId, 'deny'],
    idempotencyKey: keyOf(parts, target, 'deny'),
  });
  return 'denied';
}

async function confirm(
  parts: Dependencies,
  target: LinkTarget,
  { flow, codeDigits }: PersonsPage,
): Promise<PageResult> {
  const { tenant, transactionId: id, confirmationId } = target;
  const digest = digestCode(parts.keys, id, confirmationId, { name: flow, codeDigits });
  const { status } = await parts.transactions.send({ tenant, id }, answerConfirmation, {
    input: { flow, digest },
    identity: [flow, digest],
    idempotencyKey: keyOf(parts, target, 'confirm'),
  });
  return status === 'Valid' ? 'confirmed' : 'closed';
}

async function reply(parts: Dependencies, target: LinkTarget, option: number): Promise<PageResult> {
  const { tenant, transactionId: id, confirmationId } = target;
  const { outcome } = await parts.transactions.send({ tenant, id }, replyToConfirmation, {
    input: { confirmationId, reply: { option } },
    identity: [confirmationId, option],
    idempotencyKey: keyOf(parts, target, String(option)),
  });
  return outcome === 'yes' ? 'confirmed' : 'noted';
}
