import type { Insight, Rating, Score } from '../scoring/results';
import type { Biometrics } from '../biometrics/biometrics';
import { currentLink, expireLink } from '../biometrics/link';
import { type Confirmation, isOpen } from '../confirmations/confirmation';
import { expireConfirmations } from '../confirmations/delivery';
import {
  type Channel,
  type ConfirmationKind,
  type ReplyMeaning,
  type TokenType,
  tokenTypes,
} from '../confirmations/settings';
import { type RunView, viewRun } from '../flows/view-run';
import { defaultType, type Language, type TransactionInput } from './input';
import { allAwaited, type AwaitedItem, type TransactionStatus, transactionStatusOf } from './status';
import { toInsights, toScores } from '../scoring/score';
import type { TransactionState } from './state';
import type { FlowRun } from '../flows/run';

/** A token. Each endpoint returns the fields that it documents. */
export interface TokenView {
  status: string;
  type: TokenType;
  createdAt: string;
  repliedAt?: string;
  expirationTime: string;
}

/** One entry of the status log of a second factor by SMS or e-mail. `smsSendLimit`: how many messages the confirmation may still send. */
export interface MessageView {
  text: string;
  type: 'Sms' | 'Email';
  status: string;
  createdAt: string;
  smsSendLimit?: number;
  expirationTime: string;
}

/**
 * One entry of the status log of a question on WhatsApp. `createdAt` is in UTC, without Z. `sendLimit`: how many messages the
 * confirmation may still send.
 */
export interface WhatsappView {
  status: string;
  createdAt: string;
  reply?: { option: number; repliedAt: string };
  sendLimit: number;
  expirationTime: string;
  text: string;
}

/** The newest biometrics link in the response of /all. */
export interface BiometricsView {
  transactionID: string;
  status: string;
  createdAt: string;
  identifierDate: string;
}

/** What the request for a confirmation returns. */
export type ConfirmationView = TokenView | MessageView | WhatsappView;

/** One confirmation, without its messages. `reason`: why the last message was not delivered. */
export interface ConfirmationSummary {
  confirmationId: string;
  /** The flow and step, such as sign-up/code. Outside of flows, the name of the confirmation settings, such as sms-token. */
  name: string;
  channel: Channel;
  kind: ConfirmationKind;
  status: string;
  outcome?: ReplyMeaning;
  createdAt: string;
  expiresAt: string;
  repliedAt?: string;
  reason?: string;
}

/** Everything that a caller can read of one transaction. See `toView`. */
export interface TransactionView {
  status: TransactionStatus;
  changedAt: string;
  /** What the transaction waits for, in the order of `allAwaited`. */
  awaited: AwaitedItem[];
  /** Oldest first. */
  confirmations: ConfirmationSummary[];
  transaction: Record<string, unknown>;
  /** Whether the first assessment is complete. */
  assessed: boolean;
  scores: Score[];
  ratings: Rating[];
  insights: Insight[];
  smsToken?: TokenView;
  emailToken?: TokenView;
  smsMessages: MessageView[];
  emailMessages: MessageView[];
  /** Absent if no second factor was requested on WhatsApp. */
  whatsappMessages?: WhatsappView[];
  /** The newest link. Absent if no link was requested. */
  biometrics?: BiometricsView;
  /** Oldest first. */
  flowRuns: RunView[];
}

/** The fields of a transaction, in the order of SPEC, the external specification. */
const fieldOrder: readonly (keyof TransactionInput | 'id' | 'createdAt' | 'referenceDate')[] = [
  'id',
  'createdAt',
  'documentType',
  'document',
  'name',
  'birthdate',
  'mothersName',
  'email',
  'verifiedEmail',
  'sessionId',
  'identifierId',
  'endUserIp',
  'channelId',
  'address',
  'phone',
  'identifierDate',
  'referenceDate',
  'type',
  'genericFields',
  'criterion',
  'card',
  'secondaryDocumentType',
  'secondaryDocument',
];

/** The transaction, as the API returns it. Fields that were not supplied are absent, except verifiedEmail and type. */
export function viewTransaction(
  state: Pick<TransactionState, 'id' | 'createdAt' | 'input' | 'facts'>,
): Record<string, unknown> {
  const { input, facts } = state;
  const values: Record<string, unknown> = {
    ...input,
    id: state.id,
    createdAt: state.createdAt,
    referenceDate: state.createdAt,
    verifiedEmail: facts.emailConfirmedAt !== undefined || (input.verifiedEmail ?? false),
    type: input.type ?? defaultType,
  };
  if (input.phone) {
    const { e164: _, ...phone } = input.phone;
    values['phone'] = facts.phoneConfirmedAt ? { ...phone, verified: true } : phone;
  }
  return Object.fromEntries(
    fieldOrder.filter((field) => values[field] !== undefined).map((field) => [field, values[field]]),
  );
}

function viewToken(token: Confirmation): TokenView {
  const replied = token.status === 'Valid' && token.repliedAt ? { repliedAt: token.repliedAt } : {};
  const type = tokenTypes[token.settings.channel];
  return { status: token.status, type, createdAt: token.createdAt, ...replied, expirationTime: token.expiresAt };
}

function viewMessages(confirmation: Confirmation): MessageView[] {
  const isEmail = confirmation.settings.channel === 'email';
  return confirmation.log.toReversed().map(({ text, status, at, sendsLeft }) => ({
    text,
    type: isEmail ? 'Email' : 'Sms',
    status,
    createdAt: at,
    ...(isEmail ? {} : { smsSendLimit: sendsLeft }),
    expirationTime: confirmation.expiresAt,
  }));
}

function viewWhatsapp(confirmation: Confirmation): WhatsappView[] {
  return confirmation.log.toReversed().map(({ text, status, at, sendsLeft, reply }) => ({
    status,
    createdAt: at.replace(/Z$/, ''),
    ...(reply ? { reply } : {}),
    // No message is sent after the reply.
    sendLimit: status === 'Replied' ? 0 : sendsLeft,
    expirationTime: confirmation.expiresAt,
    text,
  }));
}

/** What the request for a confirmation returns: the token, or the newest entry of the log. */
export function viewConfirmation(confirmation: Confirmation): ConfirmationView {
  if (confirmation.settings.kind === 'token') return viewToken(confirmation);
  const entries =
    confirmation.settings.channel === 'whatsapp' ? viewWhatsapp(confirmation) : viewMessages(confirmation);
  const [newest] = entries;
  if (!newest) throw new Error(`Confirmation ${confirmation.id} has no log.`);
  return newest;
}

function summarizeConfirmation(confirmation: Confirmation): ConfirmationSummary {
  const { id, settings, status, outcome, createdAt, expiresAt, repliedAt, sends } = confirmation;
  // After the person has entered the code or replied, a late failure of the message does not matter.
  const reason = isOpen(confirmation) || status === 'Failed' ? sends.at(-1)?.failureReason : undefined;
  return {
    confirmationId: id,
    name: settings.origin ?? settings.name,
    channel: settings.channel,
    kind: settings.kind,
    status,
    ...(outcome === undefined ? {} : { outcome }),
    createdAt,
    expiresAt,
    ...(repliedAt === undefined ? {} : { repliedAt }),
    ...(reason === undefined ? {} : { reason }),
  };
}

const viewBiometrics = (transactionID: string, { status, createdAt, identifierDate }: Biometrics): BiometricsView => ({
  transactionID,
  status,
  createdAt,
  identifierDate,
});

/** What callers can read at the time `now`. The view is the same whether the state comes from the workflow or from its record. */
export function toView(storedState: TransactionState, now: string, language: Language = 'pt-BR'): TransactionView {
  const state = expireLink(expireConfirmations(storedState, now), now);
  const link = currentLink(state);
  const newestFirst = (channel: Channel, kind: ConfirmationKind) =>
    state.confirmations.filter(({ settings }) => settings.channel === channel && settings.kind === kind).toReversed();
  const [smsToken] = newestFirst('sms', 'token');
  const [emailToken] = newestFirst('email', 'token');
  const whatsapp = newestFirst('whatsapp', 'secondFactor');
  return {
    status: transactionStatusOf(state),
    changedAt: state.changedAt,
    awaited: allAwaited(state),
    confirmations: state.confirmations.map(summarizeConfirmation),
    transaction: viewTransaction(state),
    assessed: state.evidence !== undefined,
    scores: toScores(state.scores),
    ratings: state.ratings,
    insights: toInsights(state.findings, state.evidence?.bureau?.findings, language),
    ...(smsToken ? { smsToken: viewToken(smsToken) } : {}),
    ...(emailToken ? { emailToken: viewToken(emailToken) } : {}),
    smsMessages: newestFirst('sms', 'secondFactor').flatMap(viewMessages),
    emailMessages: newestFirst('email', 'secondFactor').flatMap(viewMessages),
    ...(whatsapp.length > 0 ? { whatsappMessages: whatsapp.flatMap(viewWhatsapp) } : {}),
    ...(link ? { biometrics: viewBiometrics(state.id, link) } : {}),
    flowRuns: (storedState.runs ?? []).map((run) => viewRun(storedState, run)),
  };
}

/* The data of a person, which the person may ask for. Secrets and settings of the caller are left out. */

const confirmationData = ({ digest: _digest, settings, ...confirmation }: Confirmation) => ({
  ...confirmation,
  name: settings.name,
  channel: settings.channel,
});

const linkData = ({ tokenHash: _hash, owner: _owner, facePolicy: _policy, ...link }: Biometrics) => link;

const runData = ({ plan: _plan, ...run }: FlowRun) => run;

/** Everything that the record of a transaction has about the person. */
export function personalData(state: TransactionState) {
  const { policy: _policy, responses: _responses, confirmations, biometrics = [], runs = [], ...rest } = state;
  return {
    ...rest,
    confirmations: confirmations.map(confirmationData),
    biometrics: biometrics.map(linkData),
    runs: runs.map(runData),
  };
}
