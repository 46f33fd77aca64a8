import { defineSearchAttributeKey, type UpdateDefinition } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { CodeResult } from '../domain/check-code';
import type { Biometrics, Decision } from '../domain/biometrics/biometrics';
import type { PageAction } from '../domain/biometrics/capture';
import type { BiometricsProposal } from '../domain/biometrics/link-proposal';
import type { DeliveryStatus } from '../domain/delivery-status';
import type { RunPlan } from '../domain/flows/run';
import type { RunView } from '../domain/flows/view-run';
import type { Language } from '../domain/language';
import type { Reply } from '../domain/reply';
import type { ConfirmationProposal } from '../domain/confirmation-proposal';
import type { ReplyMeaning } from '../domain/confirmation-settings';
import type { AnalysisResult, AnalysisKind } from '../domain/scoring/analyses';
import type { InitialTransaction, TransactionState } from '../domain/state';
import type { ConfirmationView, TransactionView } from '../domain/views';
import type { WebhookTarget } from '../domain/webhooks/webhook';

export const workflowType = 'transaction';

/**
 * A workflow task takes some 50 ms, and some 500 ms with the replay of a long history. If a task takes more than 3 s, its worker
 * has probably died. Another worker must then get the task soon, because callers are promised an answer within 5 s.
 */
export const workflowTaskTimeout = '3s';

/**
 * The task queue of activities that are slow or that nobody waits for: face verification, erasure of images, and retention. It
 * has its own slots, so that these activities never delay a message.
 */
export const backgroundTaskQueue = (taskQueue: string): string => `${taskQueue}-background`;

/**
 * The task queue of deliveries of events to webhooks. Each activity works for up to a minute, so it would take the slots of other
 * background work.
 */
export const webhookTaskQueue = (taskQueue: string): string => `${taskQueue}-webhooks`;

export const webhookWorkflowType = 'webhookDelivery';

/** The id of the workflow that delivers the events of a webhook. */
export const webhookWorkflowId = ({ tenant, webhookId }: WebhookTarget): string => `webhook/${tenant}/${webhookId}`;

/** Tells the workflow of a webhook that there are new deliveries. */
export const newDeliveries = defineSignal('newDeliveries');

/** The workflow id of a transaction. It holds a tenant name and a random or derived id, never personal data. */
export function transactionWorkflowId(tenant: string, id: string): string {
  return `transaction/${tenant}/${id}`;
}

/** The tenant and id in the workflow id of a transaction; undefined for any other workflow. */
export function parseTransactionWorkflowId(workflowId: string): { tenant: string; id: string } | undefined {
  const [, tenant, id] = /^transaction\/([^/]+)\/([^/]+)$/.exec(workflowId) ?? [];
  return tenant !== undefined && id !== undefined ? { tenant, id } : undefined;
}

/** The owner of the data key of a workflow; undefined for workflows that are not transactions. */
export function dataOwnerOf(workflowId: string): { tenant: string; owner: string } | undefined {
  const target = parseTransactionWorkflowId(workflowId);
  return target && { tenant: target.tenant, owner: target.id };
}

/**
 * The id of an update. `key` stands for the idempotency key, `digest` for the whole request. Temporal answers an update with a
 * known id from history, so two different requests must not have the same id.
 */
export const updateIdFor = (key: string, digest: string): string => `${key}/${digest}`;

/** The `key` in the id of an update: see `updateIdFor`. */
export const keyPartOf = (updateId: string): string => updateId.split('/')[0] ?? '';

/** A transaction starts from its initial input, or resumes from its saved state. */
export type TransactionStart = { createdFrom: InitialTransaction } | { resumed: TransactionState };

/** What every command carries in addition to its input. */
export interface RequestInfo {
  /** Keyed digest of the values that a repeat must have too. The same idempotency key with another fingerprint is a conflict. */
  fingerprint: string;
  /** Whether the answer is remembered for a repeat. `false`: there is no idempotency key, so no answer is kept. */
  rememberResponse: boolean;
}

/** The answer of a command, and the request that it belongs to. */
export interface CommandResponse<Output> {
  fingerprint: string;
  output: Output;
}

/** A change of a transaction that a caller requests. */
export type Command<Input, Output> = UpdateDefinition<CommandResponse<Output>, [Input, RequestInfo]>;

const defineCommand = <Input, Output>(name: string): Command<Input, Output> =>
  defineUpdate<CommandResponse<Output>, [Input, RequestInfo]>(name);

/** Requests a confirmation from the person, or resends the open one. Returns its current state. */
export const requestConfirmation = defineCommand<ConfirmationProposal, ConfirmationView>('requestConfirmation');

export interface TokenAttempt {
  /** Name of the confirmation settings. */
  name: string;
  /** Keyed digest of the code. The code itself never reaches the workflow. */
  digest: string;
}

/**
 * Checks a code against the newest token. If the token is closed, the command fails with TokenClosed and leaves no entry in the history.
 */
export const checkConfirmationCode = defineCommand<TokenAttempt, CodeResult>('checkConfirmationCode');

/** `deny`: on the hosted page of a token, the person says that they did not request it. */
export interface ConfirmationReply {
  confirmationId: string;
  reply: Reply | { deny: true };
}

/** Applies the person's reply. Error: ReplyRefused if the reply is not an option, comes too late, or matches no open confirmation. */
export const replyToConfirmation = defineCommand<ConfirmationReply, { outcome: ReplyMeaning }>('replyToConfirmation');

export interface AnalysisRequest {
  analysis: AnalysisKind;
}

/**
 * Reassesses the transaction and returns the analysis. Errors: CardMissing, AnalysisBusy, AnalysisLimitReached, and AnalysisFailed
 * for an internal error.
 */
export const analyse = defineCommand<AnalysisRequest, AnalysisResult>('analyse');

/**
 * Creates a biometrics link and sends it. Errors: FlowRunning, BiometricsInReview while images wait for a decision,
 * LinkLimitReached, ResendTooSoon.
 */
export const requestBiometrics = defineCommand<BiometricsProposal, Biometrics>('requestBiometrics');

/** What the person does on the hosted page of a link. `owner` is the keyed digest of the secret in the browser. */
export type LinkAction = PageAction & { biometricsId: string; owner: string };

/**
 * Applies an action of the person on the hosted page. Errors: LinkTaken if another browser uses the link, LinkClosed,
 * ConsentMissing, CapturesMissing, CaptureLimitReached, BiometricsNotFound.
 */
export const applyPageAction = defineCommand<LinkAction, Biometrics>('applyPageAction');

export interface BiometricsDecision extends Omit<Decision, 'at'> {
  biometricsId: string;
}

/** The answer to a decision. It has no data of the images, because answers are stored longer than images. */
export type DecisionAnswer = Pick<Biometrics, 'id' | 'status' | 'decision'>;

/** Decides on the images of a link. Error: NotInReview if no images wait for a decision. */
export const decideBiometrics = defineCommand<BiometricsDecision, DecisionAnswer>('decideBiometrics');

/** Erases all images of the transaction; `by` is the id of the client. Error: BiometricsNotFound if it never had a link. */
export const eraseBiometrics = defineCommand<{ by: string }, { erasedAt: string }>('eraseBiometrics');

/** Starts a flow run; returns it when its first step has started. Rejected with FlowRunning, ChannelBusy or RunLimitReached. */
export const startFlow = defineCommand<RunPlan, RunView>('startFlow');

/** The input of a command on one flow run. Errors: RunNotFound, and RunEnded if the run has ended. */
export interface RunCommand {
  runId: string;
}

export interface RunAttempt extends RunCommand {
  /**
   * Keyed digests of the code, by name of the confirmation settings. The workflow uses the digest of the confirmation that the run waits
   * for.
   */
  digests: Readonly<Record<string, string>>;
}

/** Checks the code that a flow run waits for. Errors: NothingToAnswer if the run waits for no code, and those of checkConfirmationCode. */
export const checkFlowCode = defineCommand<RunAttempt, { answer: CodeResult; run: RunView }>('checkFlowCode');

/** Resends the message of the current step. Errors: NothingToAnswer, and those of requestConfirmation. */
export const resendFlow = defineCommand<RunCommand, RunView>('resendFlow');

/** Cancels a flow run, and the confirmation or link that it waits for. */
export const cancelFlow = defineCommand<RunCommand, RunView>('cancelFlow');

/** What a provider reports about one message. */
export interface DeliveryStatusReport {
  sendId: string;
  status: DeliveryStatus;
  /** The provider's error code, e.g. 30005. */
  code?: string;
}

/** The delivery status of a message, from its provider. The API signals only statuses that can change a record. */
export const deliveryStatusReported = defineSignal<[DeliveryStatusReport]>('deliveryStatusReported');

/** Everything a caller can read, at a given time (ISO 8601), with insights in a language (default pt-BR). */
export const view = defineQuery<TransactionView, [string, Language?]>('view');

/** Search attributes. They are not encrypted, so they never contain personal data. */
export const searchAttributes = {
  tenant: defineSearchAttributeKey('CountersignTenant', 'KEYWORD'),
  status: defineSearchAttributeKey('CountersignStatus', 'KEYWORD'),
  flow: defineSearchAttributeKey('CountersignFlow', 'KEYWORD'),
  flowVersion: defineSearchAttributeKey('CountersignFlowVersion', 'KEYWORD'),
  flowStep: defineSearchAttributeKey('CountersignFlowStep', 'KEYWORD'),
  flowOutcome: defineSearchAttributeKey('CountersignFlowOutcome', 'KEYWORD'),
} as const;

/** The search attributes that change with the state. */
export const stateSearchAttributes = ['status', 'flow', 'flowVersion', 'flowStep', 'flowOutcome'] as const;
