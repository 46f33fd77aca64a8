import { defineSearchAttributeKey } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { TokenAnswer } from '../domain/answer';
import type { Biometrics, Decision } from '../domain/biometrics/biometrics';
import type { PageStep } from '../domain/biometrics/capture';
import type { BiometricsProposal } from '../domain/biometrics/link-proposal';
import type { ProviderStatus } from '../domain/delivery';
import type { RunPlan } from '../domain/flows/run';
import type { RunView } from '../domain/flows/view-run';
import type { Reply } from '../domain/reply';
import type { ConfirmationProposal } from '../domain/confirmation-proposal';
import type { Meaning } from '../domain/confirmation-settings';
import type { Analysed, Analysis } from '../domain/scoring/analyses';
import type { NewTransaction, TransactionState } from '../domain/state';
import type { ConfirmationView, TransactionView } from '../domain/views';

export const workflowType = 'transaction';

/**
 * A task takes some 50 ms, and some 500 after the replay of a long history. One that takes longer died with its worker,
 * and everything that a caller waits for waits for it: the default of 10 s would be twice what callers are promised.
 */
export const workflowTaskTimeout = '3s';

/** The workflow of a transaction. Ids hold a tenant name and a random or derived id, never personal data. */
export function transactionWorkflowId(tenant: string, id: string): string {
  return `transaction/${tenant}/${id}`;
}

/** The tenant and id of a transaction in the id of its workflow; undefined for that of another sort. */
export function transactionOf(workflowId: string): { tenant: string; id: string } | undefined {
  const [, tenant, id] = /^transaction\/([^/]+)\/([^/]+)$/.exec(workflowId) ?? [];
  return tenant !== undefined && id !== undefined ? { tenant, id } : undefined;
}

/**
 * The id of an update: what stands for the caller's key, and what for all that it tells. Temporal may take a repeat for an
 * update that it knows while a worker carries out the first: history would then have another input than was carried out.
 */
export const updateIdFor = (key: string, told: string): string => `${key}/${told}`;

/** Whether an update is answered although its workflow is canceled. Those of earlier releases, with other ids, were not. */
export const outlivesCancel = (updateId: string): boolean => updateId.includes('/');

/** What stands for the caller's key in the id of an update. */
export const keyOf = (updateId: string): string => updateId.split('/')[0] ?? '';

/** A transaction begins new, or goes on from the state it had when it fell asleep or its history grew long. */
export type TransactionStart = { born: NewTransaction } | { resumed: TransactionState };

/** Kept beside the workflow, so that a repeated create can be compared and a read answered before any worker ran. */
export interface TransactionMemo {
  born: NewTransaction;
}

/** Every update carries the keyed digest of its request: the same idempotency key with another request is a conflict. */
export interface Fingerprinted {
  fingerprint: string;
  /** Whether its caller named a key, by which it may be repeated. Absent counts as yes. */
  keyed?: boolean;
}

/** What an update gave, and for which request it gave it. */
export interface Remembered<Answer> extends Fingerprinted {
  answer: Answer;
}

/** Asks for a confirmation or for another message of the open one; gives its newest record. */
export const requestConfirmation = defineUpdate<Remembered<ConfirmationView>, [ConfirmationProposal & Fingerprinted]>(
  'requestConfirmation',
);

export interface TokenToAnswer {
  flow: string;
  /** Keyed digest of the value. The value itself never reaches the workflow. */
  digest: string;
}

/** Tries a value on the newest token of a flow. What is certain to be refused is refused with AnswerRefused and leaves no history. */
export const answerConfirmation = defineUpdate<Remembered<TokenAnswer>, [TokenToAnswer & Fingerprinted]>(
  'answerConfirmation',
);

/** `deny`: the person says on the page of a token that they asked for nothing. */
export interface PersonsReply {
  confirmationId: string;
  reply: Reply | { deny: true };
}

/** Takes the person's reply. ReplyRefused when it means nothing, comes late or names nothing open. */
export const replyToConfirmation = defineUpdate<Remembered<{ outcome: Meaning }>, [PersonsReply & Fingerprinted]>(
  'replyToConfirmation',
);

/** Which analysis a caller asks for. */
export interface AnalysisAsked {
  analysis: Analysis;
}

/** Looks at the transaction anew and gives the analysis. CardMissing, AnalysisBusy and AnalysisLimitReached change nothing; AnalysisFailed by a fault of ours. */
export const analyse = defineUpdate<Remembered<Analysed>, [AnalysisAsked & Fingerprinted]>('analyse');

/** Makes a biometrics link and sends it. BiometricsInReview while images await a decision, LinkLimitReached, ResendTooSoon. */
export const requestBiometrics = defineUpdate<Remembered<Biometrics>, [BiometricsProposal & Fingerprinted]>(
  'requestBiometrics',
);

/** A step on the page of a link. `owner` is the keyed digest of the secret that the browser keeps. */
export type BiometricsStep = PageStep & { biometricsId: string; owner: string };

/** Takes a step of the person. LinkTaken by another browser, LinkClosed, ConsentMissing, CapturesMissing, CaptureLimitReached, BiometricsNotFound. */
export const takeBiometricsStep = defineUpdate<Remembered<Biometrics>, [BiometricsStep & Fingerprinted]>(
  'takeBiometricsStep',
);

export interface BiometricsDecision extends Omit<Decision, 'at'> {
  biometricsId: string;
}

/** What a decision answers: nothing of the images, because answers are remembered beyond their erasure. */
export type Decided = Pick<Biometrics, 'id' | 'status' | 'decision'>;

/** Decides on the images of a link. NotInReview when none await it. */
export const decideBiometrics = defineUpdate<Remembered<Decided>, [BiometricsDecision & Fingerprinted]>(
  'decideBiometrics',
);

/** Erases all images of the transaction; `by` is a client's id. BiometricsNotFound when no link was ever made. */
export const eraseBiometrics = defineUpdate<Remembered<{ erasedAt: string }>, [{ by: string } & Fingerprinted]>(
  'eraseBiometrics',
);

/** Begins a run of a flow; gives it when its first step was begun. FlowRunning, ChannelBusy and RunLimitReached change nothing. */
export const startFlow = defineUpdate<Remembered<RunView>, [RunPlan & Fingerprinted]>('startFlow');

/** Names the runs that a key may have begun. */
export interface RunsProposed {
  runIds: readonly string[];
}

/** Gives the run that a key has begun, once its first step was begun. RunNotFound when there is none. Changes nothing. */
export const recallRun = defineUpdate<Remembered<RunView>, [RunsProposed & Fingerprinted]>('recallRun');

/** Speaks of one run. RunNotFound, or RunOver once it has ended. */
export interface FlowTold {
  runId: string;
}

export interface FlowAnswered extends FlowTold {
  /** Keyed digests of the value, by the sort of record that it may be for: the workflow knows which one the run waits for. */
  digests: Readonly<Record<string, string>>;
}

/** Tries a value on the code that a run waits for. NothingToAnswer when it waits for none; else as answerConfirmation. */
export const answerFlow = defineUpdate<
  Remembered<{ answer: TokenAnswer; run: RunView }>,
  [FlowAnswered & Fingerprinted]
>('answerFlow');

/** Sends the message of the step that waits once more. NothingToAnswer; else refused as requestConfirmation. */
export const resendFlow = defineUpdate<Remembered<RunView>, [FlowTold & Fingerprinted]>('resendFlow');

/** Ends a run where it is; what it asked for does not count any more. */
export const cancelFlow = defineUpdate<Remembered<RunView>, [FlowTold & Fingerprinted]>('cancelFlow');

export interface MessageProgress {
  sendId: string;
  status: ProviderStatus;
  /** The provider's own number of what went wrong, e.g. 30005. */
  code?: string;
}

/** A provider's word on a message. Only those that can change a record are signalled. */
export const messageProgressed = defineSignal<[MessageProgress]>('messageProgressed');

/** Everything a caller can read, at an instant (ISO 8601). For operators and tests; the API reads the record. */
export const view = defineQuery<TransactionView, [string]>('view');

/** Search attributes. They are not encrypted: tenant and state only. */
export const searchAttributes = {
  tenant: defineSearchAttributeKey('CountersignTenant', 'KEYWORD'),
  status: defineSearchAttributeKey('CountersignStatus', 'KEYWORD'),
  flow: defineSearchAttributeKey('CountersignFlow', 'KEYWORD'),
  flowVersion: defineSearchAttributeKey('CountersignFlowVersion', 'KEYWORD'),
  flowStep: defineSearchAttributeKey('CountersignFlowStep', 'KEYWORD'),
  flowOutcome: defineSearchAttributeKey('CountersignFlowOutcome', 'KEYWORD'),
} as const;

/** Those that follow the state. */
export const shownAttributes = ['status', 'flow', 'flowVersion', 'flowStep', 'flowOutcome'] as const;
