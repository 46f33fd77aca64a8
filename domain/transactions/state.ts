import type { Rating } from '../scoring/results';
import type { Biometrics } from '../biometrics/biometrics';
import type { Confirmation } from '../confirmations/confirmation';
import type { PersonFacts, TransactionInput } from './input';
import type { FlowRun } from '../flows/run';
import type { Evidence } from '../scoring/evidence';
import type { Finding, ScoreEntry } from '../scoring/score';
import type { Policy } from '../scoring/policy';
import { addMs, limits } from './limits';
import { utf8Bytes } from '../text';

/** The response to a request with an idempotency key. Repeats of the request get the same response. */
export interface RememberedResponse {
  /** The part of the id of the Temporal update that stands for the idempotency key: see `keyPartOf`. */
  keyPart: string;
  at: string;
  response: unknown;
  /** Whether the response is the answer of an analysis. Analyses have a separate limit. */
  analysis?: true;
  /** Set if the caller sent no idempotency key. The response is only for repeats by the service itself, so it is kept for a short time. */
  withoutKey?: true;
}

/** A message that the provider or the service rejected at once. Operators see it in the panel, callers as an event. */
export interface RejectedSend {
  /** Absent in records of earlier versions. */
  sendId?: string;
  /** The flow and step, such as `sign-up/code`. Outside of flows, the name of the confirmation settings, such as `sms-token`. */
  origin: string;
  /** Why the message was rejected, with the provider's error number if any, such as `DestinationRefused 21211`. */
  failureReason: string;
  at: string;
}

/** The initial input of a transaction. */
export interface InitialTransaction {
  tenant: string;
  id: string;
  input: TransactionInput;
  createdAt: string;
  /** The flow that the creating request also starts. Null or absent if it starts none. A repeat of the request must name the same flow. */
  initialFlow?: string | null;
}

/**
 * The complete state of a transaction. Postgres stores the state as the record. The state is also the input of a workflow that
 * starts again with an empty history: because the old history became long, or because a closed transaction is resumed.
 */
export interface TransactionState extends InitialTransaction {
  /** Starts at 0 and increases with every change. */
  version: number;
  changedAt: string;
  evidence?: Evidence;
  /** The policy that belongs to `evidence`. It is kept so that scores can be computed again. */
  policy?: Policy;
  /** Oldest first. */
  scores: ScoreEntry[];
  /** Oldest first. */
  ratings: Rating[];
  /** The current findings, in the order of the list of rules (`catalogue`). */
  findings: Finding[];
  facts: PersonFacts;
  /** Oldest first. */
  confirmations: Confirmation[];
  /** The newest rejected messages, oldest first. Absent until a message was rejected. */
  rejectedSends?: RejectedSend[];
  /** Oldest first. Only the last link can be open. Absent until a link was requested. */
  biometrics?: Biometrics[];
  /** All flow runs, oldest first. Absent until a flow run was started. */
  runs?: FlowRun[];
  /** Attempts used on all tokens together. */
  attemptsUsed: number;
  /** The responses to earlier requests, for repeats with the same idempotency key. */
  responses: RememberedResponse[];
}

/** The state of a new transaction, before the first assessment. */
export function newState(initial: InitialTransaction): TransactionState {
  return {
    ...initial,
    version: 0,
    changedAt: initial.createdAt,
    scores: [],
    ratings: [],
    findings: [],
    facts: {},
    confirmations: [],
    attemptsUsed: 0,
    responses: [],
  };
}

/**
 * The newest confirmation with the settings `settingsName`, such as `sms-token`. If there are several tokens with these settings, callers
 * can answer and read only the newest.
 */
export function currentConfirmation(state: TransactionState, settingsName: string): Confirmation | undefined {
  return state.confirmations.findLast((confirmation) => confirmation.settings.name === settingsName);
}

/** The confirmation to which a message belongs. Undefined if there is none, such as for a message with a link. */
export function confirmationOfSend(state: TransactionState, sendId: string): Confirmation | undefined {
  return state.confirmations.find((confirmation) => confirmation.sends.some((send) => send.id === sendId));
}

/** Whether a message is in the state, as a message of a confirmation or of a biometrics link. */
export function hasSend(state: TransactionState, sendId: string): boolean {
  return [...state.confirmations, ...(state.biometrics ?? [])].some(({ sends }) =>
    sends.some(({ id }) => id === sendId),
  );
}

/** The state with one confirmation replaced. */
export function withConfirmation(state: TransactionState, changed: Confirmation): TransactionState {
  return {
    ...state,
    confirmations: state.confirmations.map((confirmation) => (confirmation.id === changed.id ? changed : confirmation)),
  };
}

/** The kinds of responses. Each kind has its own limit, so that many responses of one kind do not replace those of another. */
const kinds = [
  {
    includes: ({ withoutKey }: RememberedResponse) => withoutKey === true,
    keptForMs: limits.rememberedWithoutKeyForMs,
    max: limits.rememberedWithoutKey,
  },
  {
    includes: ({ withoutKey, analysis }: RememberedResponse) => !withoutKey && analysis === true,
    keptForMs: limits.rememberedForMs,
    max: limits.rememberedAnalyses,
  },
  {
    includes: ({ withoutKey, analysis }: RememberedResponse) => !withoutKey && !analysis,
    keptForMs: limits.rememberedForMs,
    max: limits.rememberedCommands,
  },
];

/**
 * Adds the response of a command, for repeats of its request, and drops old responses. Keeps the newest responses of each kind, within the
 * limit on their total size. The new response always stays, because its request may be repeated soon.
 */
export function rememberResponse(
  responses: readonly RememberedResponse[],
  response: RememberedResponse,
): readonly RememberedResponse[] {
  const all = [...responses.filter(({ keyPart }) => keyPart !== response.keyPart), response];
  const kept = new Set(
    kinds.flatMap(({ includes, keptForMs, max }) => {
      const cutoff = addMs(response.at, -keptForMs);
      return all.filter((one) => includes(one) && one.at > cutoff).slice(-max);
    }),
  );
  return limitTotalSize(all.filter((one) => kept.has(one)));
}

/** Drops the oldest responses until the total size is within the limit. Never drops the newest response. */
function limitTotalSize(responses: readonly RememberedResponse[]): readonly RememberedResponse[] {
  const sizes = responses.map(({ response }) => utf8Bytes(JSON.stringify(response) ?? ''));
  let bytesLeft = limits.rememberedBytes;
  const lastDroppedIndex = sizes.findLastIndex((size) => (bytesLeft -= size) < 0);
  return responses.slice(Math.min(lastDroppedIndex + 1, responses.length - 1));
}
