import { defineSearchAttributeKey, TypedSearchAttributes, type UpdateDefinition } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { CodeResult } from '../domain/confirmations/check-code';
import type { ConfirmationReply, TokenAttempt } from '../domain/confirmations/commands';
import type { Biometrics, BiometricsProposal } from '../domain/biometrics/biometrics';
import type { BiometricsDecision, LinkAction } from '../domain/biometrics/commands';
import type { DeliveryStatus } from '../domain/confirmations/delivery';
import type { RunPlan } from '../domain/flows/run';
import type { RunAttempt, RunCommand } from '../domain/flows/run-commands';
import type { RunView } from '../domain/flows/view-run';
import type { Language } from '../domain/transactions/input';
import type { ConfirmationProposal, ReplyMeaning } from '../domain/confirmations/settings';
import type { AnalysisResult, AnalysisKind } from '../domain/scoring/assess';
import { searchAttributesOf } from '../domain/operator-panel/operator-panel';
import type { TransactionState } from '../domain/transactions/state';
import type { ConfirmationView, TransactionView } from '../domain/transactions/views';
import type { WebhookTarget } from '../domain/webhooks/webhooks';

export { recordNotSavedType } from './ports';
export type { BiometricsDecision, ConfirmationReply, LinkAction, RunAttempt, RunCommand, TokenAttempt };

/** The name of the workflow of a transaction. */
export const workflowType = 'transaction';

/**
 * A workflow task takes some 50 ms. If the worker must first run the workflow again from a long history (a replay), the task takes some
 * 500 ms. If a task takes more than 3 s, its worker has probably died. Then another worker must get the task soon, because callers are
 * promised an answer within 5 s.
 */
export const workflowTaskTimeout = '3s';

/**
 * The task queue of slow activities, and of activities for which nobody waits: face verification, erasure of images, and retention. Its
 * worker has its own limit of concurrent activities, so that these activities never delay a message.
 */
export const backgroundTaskQueue = (taskQueue: string): string => `${taskQueue}-background`;

/**
 * The task queue of deliveries of events to webhooks. Each of its activities works for up to a minute. On the background task queue, they
 * would delay the other activities.
 */
export const webhookTaskQueue = (taskQueue: string): string => `${taskQueue}-webhooks`;

/** The name of the workflow that delivers the events of a webhook. */
export const webhookWorkflowType = 'webhookDelivery';

/** The id of the workflow that delivers the events of a webhook. */
export const webhookWorkflowId = ({ tenant, webhookId }: WebhookTarget): string => `webhook/${tenant}/${webhookId}`;

/** Tells the workflow of a webhook that there are new deliveries. */
export const newDeliveries = defineSignal('newDeliveries');

/** The workflow id of a transaction. It holds a tenant name and a random or derived id, never personal data. */
export function transactionWorkflowId(tenant: string, id: string): string {
  return `transaction/${tenant}/${id}`;
}

/** The tenant and id in the workflow id of a transaction. Undefined for any other workflow. */
export function parseTransactionWorkflowId(workflowId: string): { tenant: string; id: string } | undefined {
  const [, tenant, id] = /^transaction\/([^/]+)\/([^/]+)$/.exec(workflowId) ?? [];
  return tenant !== undefined && id !== undefined ? { tenant, id } : undefined;
}

/** The transaction whose data key encrypts the payloads of a workflow. `owner`: its id. Undefined if the workflow is no transaction. */
export function dataOwnerOf(workflowId: string): { tenant: string; owner: string } | undefined {
  const target = parseTransactionWorkflowId(workflowId);
  return target && { tenant: target.tenant, owner: target.id };
}

/**
 * The id of an update. `key` stands for the idempotency key, and `digest` for the whole request. If Temporal already has an update with
 * this id, it returns the answer of that update and does not run the command again. So two different requests must not have the same id.
 */
export const updateIdFor = (key: string, digest: string): string => `${key}/${digest}`;

/** The `key` in the id of an update: see `updateIdFor`. */
export const keyPartOf = (updateId: string): string => updateId.split('/')[0] ?? '';

/**
 * The state from which a workflow run continues a transaction. `savedVersion`: the version of the newest record that the earlier workflow run
 * knew. Absent if `state` is the record. `reports`: delivery statuses that the earlier run could not save.
 */
export interface TransactionStart {
  state: TransactionState;
  savedVersion?: number;
  reports?: readonly DeliveryStatusReport[];
}

/** What every command carries in addition to its input. */
export interface RequestInfo {
  /**
   * Keyed digest of the values that must be the same in a repeat. A request with the same idempotency key and another fingerprint is a
   * conflict.
   */
  fingerprint: string;
  /** Whether the answer is remembered for a repeat. False if the request has no idempotency key. */
  rememberResponse: boolean;
}

/** The answer of a command, and the fingerprint of its request. */
export interface CommandResponse<Output> {
  fingerprint: string;
  output: Output;
}

/** The type of the failure of a command that met a workflow behind its record. The API repeats the command in the next workflow run. */
export const recordAheadType = 'RecordAhead';

/** A change of a transaction that a caller requests. */
export type Command<Input, Output> = UpdateDefinition<CommandResponse<Output>, [Input, RequestInfo]>;

const defineCommand = <Input, Output>(name: string): Command<Input, Output> =>
  defineUpdate<CommandResponse<Output>, [Input, RequestInfo]>(name);

/** Requests a confirmation from the person, or resends the open confirmation. Returns the current state of the confirmation. */
export const requestConfirmation = defineCommand<ConfirmationProposal, ConfirmationView>('requestConfirmation');

/**
 * Checks a code against the newest token. Errors: ConfirmationNotFound if there is no token, TokenClosed if it is closed, and CodeImpossible
 * if the code has another number of digits.
 */
export const checkConfirmationCode = defineCommand<TokenAttempt, CodeResult>('checkConfirmationCode');

/** Applies the person's reply. Error: ReplyRefused if the reply is not an option, comes too late, or matches no open confirmation. */
export const replyToConfirmation = defineCommand<ConfirmationReply, { outcome: ReplyMeaning }>('replyToConfirmation');

/** The input of `analyse`. */
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

/**
 * Applies an action of the person on the hosted page. Errors: LinkTaken if another browser uses the link, LinkClosed,
 * ConsentMissing, CapturesMissing, CaptureLimitReached, BiometricsNotFound.
 */
export const applyPageAction = defineCommand<LinkAction, Biometrics>('applyPageAction');

/** The answer to a decision. It has no data of the images, because answers are stored longer than images. */
export type DecisionAnswer = Pick<Biometrics, 'id' | 'status' | 'decision'>;

/** Decides on the images of a link. Error: NotInReview if no images wait for a decision. */
export const decideBiometrics = defineCommand<BiometricsDecision, DecisionAnswer>('decideBiometrics');

/** Erases all images of the transaction. `by`: the id of the client. Error: BiometricsNotFound if the transaction never had a link. */
export const eraseBiometrics = defineCommand<{ by: string }, { erasedAt: string }>('eraseBiometrics');

/** Starts a flow run, and returns it when its first step has started. Errors: FlowRunning, ChannelBusy, RunLimitReached. */
export const startFlow = defineCommand<RunPlan, RunView>('startFlow');

/** Checks the code for which a flow run waits. Errors: NothingToAnswer if it waits for no code, and the errors of checkConfirmationCode. */
export const checkFlowCode = defineCommand<RunAttempt, { answer: CodeResult; run: RunView }>('checkFlowCode');

/** Resends the message of the current step. Errors: NothingToAnswer, and the errors of requestConfirmation. */
export const resendFlow = defineCommand<RunCommand, RunView>('resendFlow');

/** Cancels a flow run, and the confirmation or link for which it waits. */
export const cancelFlow = defineCommand<RunCommand, RunView>('cancelFlow');

/** What a provider reports about one message. */
export interface DeliveryStatusReport {
  sendId: string;
  status: DeliveryStatus;
  /** The provider's error number, such as 30005. */
  code?: string;
}

/** The signal with the delivery status of a message. The API sends this signal only if the status can change the state. */
export const deliveryStatusReported = defineSignal<[DeliveryStatusReport]>('deliveryStatusReported');

/**
 * The signal with the version of the record. If the record is ahead of the workflow, the workflow continues from the record. The API sends
 * this signal only if it has read a record that is ahead, or that has been due for some time.
 */
export const recordVersion = defineSignal<[number]>('recordVersion');

/** The query for everything that a caller can read. Inputs: the current time (ISO 8601), and the language of insights (default pt-BR). */
export const view = defineQuery<TransactionView, [string, Language?]>('view');

/** A view, and the version of the newest record that the workflow knows. If the record is newer, the view is not current. */
export interface VersionedView {
  view: TransactionView;
  savedVersion: number;
}

/** Like `view`, with the version by which the API recognizes a workflow that is behind its record. */
export const versionedView = defineQuery<VersionedView, [string, Language?]>('versionedView');

/**
 * The search attributes: fields by which operators find workflows in Temporal. They are not encrypted, so they never contain personal data.
 */
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

/**
 * The search attributes (values by which Temporal can find workflows) with which a workflow starts. A running workflow writes only the
 * attributes that change, so it must start with all attributes.
 */
function startAttributesOf(state: TransactionState): TypedSearchAttributes {
  const values = searchAttributesOf(state);
  const attributes = stateSearchAttributes.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [{ key: searchAttributes[name], value }];
  });
  return new TypedSearchAttributes([{ key: searchAttributes.tenant, value: state.tenant }, ...attributes]);
}

/** The options of a workflow start that continues a transaction from its record. A workflow that still runs stays as it is. */
export function resumeOptions(state: TransactionState, taskQueue: string) {
  return {
    workflowId: transactionWorkflowId(state.tenant, state.id),
    taskQueue,
    args: [{ state }] as [TransactionStart],
    typedSearchAttributes: startAttributesOf(state),
    staticSummary: `verify a person for ${state.tenant}${state.version > 0 ? ', resumed' : ''}`,
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowTaskTimeout,
  } as const;
}
