import { defineSearchAttributeKey, type UpdateDefinition } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { TokenAnswer } from '../domain/token-answer';
import type { Biometrics, Decision } from '../domain/biometrics/biometrics';
import type { PageStep } from '../domain/biometrics/capture';
import type { BiometricsProposal } from '../domain/biometrics/link-proposal';
import type { ProviderStatus } from '../domain/delivery-status';
import type { RunPlan } from '../domain/flows/run';
import type { RunView } from '../domain/flows/view-run';
import type { Language } from '../domain/language';
import type { Reply } from '../domain/reply';
import type { ConfirmationProposal } from '../domain/confirmation-proposal';
import type { Meaning } from '../domain/confirmation-settings';
import type { AnalysisResult, Analysis } from '../domain/scoring/analyses';
import type { InitialTransaction, TransactionState } from '../domain/state';
import type { ConfirmationView, TransactionView } from '../domain/views';

export const workflowType = 'transaction';

/**
 * A task takes some 50 ms, and some 500 after the replay of a long history. One that takes longer died with its worker,
 * and everything that a caller waits for waits for it: the default of 10 s would be twice what callers are promised.
 */
export const workflowTaskTimeout = '3s';

/**
 * The task queue of activities that wait for slow third parties, or that nobody waits for: face verification, notices to
 * callers, erasure and retention of images. They have slots of their own there, and never hold those of sends.
 */
export const backgroundTaskQueue = (taskQueue: string): string => `${taskQueue}-background`;

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
 * The id of an update: the key of the request, and a digest of all that it carries. Temporal answers a repeat under the same id
 * itself; without the digest it may put the input of a repeat into history in place of the input that a worker carried out.
 */
export const updateIdFor = (key: string, digest: string): string => `${key}/${digest}`;

/** The key in the id of an update. */
export const keyOf = (updateId: string): string => updateId.split('/')[0] ?? '';

/** A transaction starts from its initial input, or resumes from the state it had when it closed or its history grew long. */
export type TransactionStart = { createdFrom: InitialTransaction } | { resumed: TransactionState };

/** Kept beside the workflow, so that a repeated create can be compared and a read answered before any worker ran. */
export interface TransactionMemo {
  createdFrom: InitialTransaction;
}

/** What every command carries beside its input. */
export interface RequestInfo {
  /** Keyed digest of the request: the same idempotency key with another request is a conflict. */
  fingerprint: string;
  /** Whether its caller gave a key, so that the answer is remembered for a repeat. */
  repeatable: boolean;
}

/** What a command answers, and the request that the answer belongs to. */
export interface Answered<Output> {
  fingerprint: string;
  output: Output;
}

/** A change that a caller asks a transaction for. Commands of one transaction run one at a time. */
export type Command<Input, Output> = UpdateDefinition<Answered<Output>, [Input, RequestInfo]>;

const command = <Input, Output>(name: string): Command<Input, Output> =>
  defineUpdate<Answered<Output>, [Input, RequestInfo]>(name);

/** Asks the person for a confirmation, or sends another message of the open one. Gives its newest record. */
export const requestConfirmation = command<ConfirmationProposal, ConfirmationView>('requestConfirmation');

export interface TokenToAnswer {
  flow: string;
  /** Keyed digest of the value. The value itself never reaches the workflow. */
  digest: string;
}

/** Tries a value on the newest token. Rejected with AnswerRefused, without history, when the token is closed. */
export const answerConfirmation = command<TokenToAnswer, TokenAnswer>('answerConfirmation');

/** `deny`: the person says on the page of a token that they did not ask for it. */
export interface PersonsReply {
  confirmationId: string;
  reply: Reply | { deny: true };
}

/** Takes the person's reply. ReplyRefused when it means nothing, comes late or names nothing open. */
export const replyToConfirmation = command<PersonsReply, { outcome: Meaning }>('replyToConfirmation');

export interface AnalysisRequest {
  analysis: Analysis;
}

/** Assesses the transaction again and gives the analysis. CardMissing, AnalysisBusy, AnalysisLimitReached; AnalysisFailed by an error of ours. */
export const analyse = command<AnalysisRequest, AnalysisResult>('analyse');

/** Makes a biometrics link and sends it. BiometricsInReview while images await a decision, LinkLimitReached, ResendTooSoon. */
export const requestBiometrics = command<BiometricsProposal, Biometrics>('requestBiometrics');

/** A step on the page of a link. `owner` is the keyed digest of the secret that the browser holds. */
export type BiometricsStep = PageStep & { biometricsId: string; owner: string };

/** Takes a step of the person. LinkTaken by another browser, LinkClosed, ConsentMissing, CapturesMissing, CaptureLimitReached, BiometricsNotFound. */
export const takeBiometricsStep = command<BiometricsStep, Biometrics>('takeBiometricsStep');

export interface BiometricsDecision extends Omit<Decision, 'at'> {
  biometricsId: string;
}

/** What a decision answers: nothing of the images, because answers are remembered after their erasure. */
export type Decided = Pick<Biometrics, 'id' | 'status' | 'decision'>;

/** Decides on the images of a link. NotInReview when none await it. */
export const decideBiometrics = command<BiometricsDecision, Decided>('decideBiometrics');

/** Erases all images of the transaction; `by` is a client's id. BiometricsNotFound when no link was ever made. */
export const eraseBiometrics = command<{ by: string }, { erasedAt: string }>('eraseBiometrics');

/** Starts a flow run; gives it when its first step has begun. FlowRunning, ChannelBusy and RunLimitReached change nothing. */
export const startFlow = command<RunPlan, RunView>('startFlow');

/** Names one flow run. RunNotFound, or RunEnded once it has ended. */
export interface RunCommand {
  runId: string;
}

export interface RunAnswer extends RunCommand {
  /** Keyed digests of the value, by the sort of record that it may be for: the workflow knows which one the run waits for. */
  digests: Readonly<Record<string, string>>;
}

/** Tries a value on the code that a flow run waits for. NothingToAnswer when it waits for none; else as answerConfirmation. */
export const answerFlow = command<RunAnswer, { answer: TokenAnswer; run: RunView }>('answerFlow');

/** Sends the message of the current step once more. NothingToAnswer; else refused as requestConfirmation. */
export const resendFlow = command<RunCommand, RunView>('resendFlow');

/** Cancels a flow run; what it asked for does not count any more. */
export const cancelFlow = command<RunCommand, RunView>('cancelFlow');

export interface MessageProgress {
  sendId: string;
  status: ProviderStatus;
  /** The provider's own number of what went wrong, e.g. 30005. */
  code?: string;
}

/** The delivery status of a message, by its provider. Only those that can change a record are signalled. */
export const messageProgressed = defineSignal<[MessageProgress]>('messageProgressed');

/** Everything a caller can read, at an instant (ISO 8601), with insights in a language (default pt-BR). */
export const view = defineQuery<TransactionView, [string, Language?]>('view');

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
