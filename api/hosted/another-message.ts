import { randomUUID } from 'node:crypto';
import { type PageToken, secondsUntilMessage } from '../../domain/confirmations/code-page';
import type { ConfirmationProposal } from '../../domain/confirmations/settings';
import type { DomainErrorType } from '../../domain/domain-error';
import type { TransactionState } from '../../domain/transactions/state';
import { keyedHash } from '../../messages/codes';
import type { CodePageTarget } from '../../messages/links';
import { requestConfirmation, resendFlow } from '../../workflows/contract/commands';
import type { Needs } from '../dependencies';
import { Problem } from '../http/problem';
import type { MessageButton, MessageResult } from '../pages/rendered-pages';
import { createIdProposer } from '../transactions/proposed-ids';
import { CommandRejected } from '../transactions/transactions';

/** A page whose person may want another message. `closed`: see `canAskForMessage`. */
export interface MessagePage extends PageToken {
  state: TransactionState;
  closed: string | undefined;
}

type MessageNeeds = Needs<'config' | 'keys' | 'termsOf' | 'transactions'>;

/** The proposal of a caller who requests the confirmation again, with the settings, the language and the return URL of the first request. */
const proposalOf = (
  { config }: Needs<'config'>,
  { settings, language, requester }: PageToken['token'],
  confirmationId: string,
): ConfirmationProposal => ({
  ...{ confirmationId, settings, language, languages: [language] },
  ...(requester === undefined ? {} : { requester }),
  allowedDialCodes: config.ALLOWED_COUNTRIES,
  requireVerifiedEmail: config.REQUIRE_VERIFIED_EMAIL,
});

/** The button for another message. Undefined if a caller could not send one either. Each page has a button of its own. */
export function messageButtonOf(
  dependencies: Needs<'config'>,
  { state, closed, ...page }: MessagePage,
): MessageButton | undefined {
  const proposal = proposalOf(dependencies, page.token, 'next');
  const seconds = secondsUntilMessage(state, page, closed, proposal, new Date().toISOString());
  return seconds === undefined ? undefined : { isNewCode: closed !== undefined, seconds, press: randomUUID() };
}

const pressPattern = /^[\da-f-]{36}$/;

/** What the page says about each rejection. For all others, it says that the message could not be sent now. */
const resultOf: Partial<Record<DomainErrorType, MessageResult>> = {
  ResendTooSoon: 'tooSoon',
  SendLimitReached: 'limit',
  TransactionSendLimitReached: 'limit',
  DestinationDailyLimitReached: 'limit',
  TenantDailyLimitReached: 'limit',
  AttemptLimitReached: 'limit',
  CountryNotAllowed: 'refused',
  PrefixBlocked: 'refused',
  DestinationDenied: 'refused',
  PersonDenied: 'refused',
  PhoneNotAllowed: 'refused',
  DestinationRefused: 'refused',
  DestinationOptedOut: 'refused',
  ProviderRefused: 'refused',
};

/**
 * Sends the message again, or a new code, with the command of a caller, so the same limits apply. `press`: the button of the shown page. A
 * second press of the same button repeats the request, and sends nothing more.
 */
export async function sendAnotherMessage(
  dependencies: MessageNeeds,
  { tenant, transactionId: id, confirmationId }: CodePageTarget,
  { token, runId }: PageToken,
  press: unknown,
): Promise<MessageResult> {
  const { keys, transactions, termsOf } = dependencies;
  const target = { tenant, id };
  const isPress = typeof press === 'string' && pressPattern.test(press);
  const idempotencyKey = isPress ? keyedHash(keys, 'code-page-message', confirmationId, press) : undefined;
  try {
    if (runId !== undefined) {
      await transactions.send(target, resendFlow, { input: { runId }, identity: [runId], idempotencyKey });
      return 'sent';
    }
    const { settings } = token;
    const proposedId = createIdProposer(keys, target, idempotencyKey)(`confirmation ${settings.name}`);
    const digest = (await termsOf(target)).digestOf(proposedId, settings);
    await transactions.send(target, requestConfirmation, {
      input: { ...proposalOf(dependencies, token, proposedId), digest },
      identity: [settings.name],
      idempotencyKey,
    });
    return 'sent';
  } catch (error) {
    if (error instanceof CommandRejected) return resultOf[error.domainError.type] ?? 'notSent';
    if (error instanceof Problem) return 'notSent';
    throw error;
  }
}
