import type { Rating } from './analysis';
import type { Biometrics } from './biometrics/biometrics';
import type { Confirmation } from './confirmation';
import type { PersonFacts } from './person-facts';
import type { FlowRun } from './flows/run';
import type { Evidence } from './scoring/evidence';
import type { Finding } from './scoring/findings';
import type { Policy } from './scoring/policy';
import type { ScoreEntry } from './scoring/score';
import type { TransactionInput } from './transaction';

/** An answer given under an idempotency key, kept so that a repeat gets it again after the run has changed. */
export interface RememberedAnswer {
  /** What stands for the key in the id of the update. */
  updateId: string;
  at: string;
  answer: unknown;
  /** The answer of an analysis: these are many, and make room for the others. */
  analysis?: true;
}

/** A message that was refused at once and taken back: operators see it, callers were told and read nothing of it. */
export interface RefusedSend {
  /** The flow and step that asked, or the sort of confirmation. */
  origin: string;
  /** Why, with the provider's own number: `DestinationRefused 21211`. */
  failureReason: string;
  at: string;
}

/** What a transaction starts from. */
export interface InitialTransaction {
  tenant: string;
  id: string;
  input: TransactionInput;
  createdAt: string;
  /** Name of the flow that the same call starts; null or absent for none. A repeat of the call must name the same. */
  initialFlow?: string | null;
}

/** Everything a transaction is. It travels through continue-as-new and, as the record in Postgres, through sleep. */
export interface TransactionState extends InitialTransaction {
  /** Rises with every acknowledged change; a record never goes back. 0 until the first assessment. */
  version: number;
  changedAt: string;
  evidence?: Evidence;
  /** The policy that the scores of today's evidence are made by. It travels with the state, so that they can be made again. */
  policy?: Policy;
  /** Oldest first. */
  scores: ScoreEntry[];
  ratings: Rating[];
  insights: Finding[];
  facts: PersonFacts;
  /** Oldest first. */
  confirmations: Confirmation[];
  /** Oldest first, the newest of all. Absent until a message was refused at once. */
  refusedSends?: RefusedSend[];
  /** Oldest first; at most the last is open. Absent until a link was asked for. */
  biometrics?: Biometrics[];
  /** Oldest first. Absent until a flow was run. */
  runs?: FlowRun[];
  /** Values evaluated, over all tokens. */
  attemptsUsed: number;
  answers: RememberedAnswer[];
}

export function newState(initial: InitialTransaction): TransactionState {
  return {
    ...initial,
    version: 0,
    changedAt: initial.createdAt,
    scores: [],
    ratings: [],
    insights: [],
    facts: {},
    confirmations: [],
    attemptsUsed: 0,
    answers: [],
  };
}

/** The newest confirmation of a flow: the only one that can still be answered and the one that reads show. */
export function currentConfirmation(state: TransactionState, flowName: string): Confirmation | undefined {
  return state.confirmations.findLast((confirmation) => confirmation.settings.name === flowName);
}

export function confirmationOfSend(state: TransactionState, sendId: string): Confirmation | undefined {
  return state.confirmations.find((confirmation) => confirmation.sends.some((send) => send.id === sendId));
}

/** The state with one confirmation replaced. */
export function withConfirmation(state: TransactionState, changed: Confirmation): TransactionState {
  return {
    ...state,
    confirmations: state.confirmations.map((confirmation) => (confirmation.id === changed.id ? changed : confirmation)),
  };
}
