import type { UpdateDefinition } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { CodeResult } from '../../domain/confirmations/check-code';
import type { ConfirmationReply, TokenAttempt } from '../../domain/confirmations/commands';
import type { Biometrics, BiometricsProposal } from '../../domain/biometrics/biometrics';
import type { BiometricsDecision, LinkAction } from '../../domain/biometrics/commands';
import type { DeliveryStatus } from '../../domain/confirmations/delivery';
import type { RunPlan } from '../../domain/flows/run';
import type { RunAttempt, RunCommand } from '../../domain/flows/run-commands';
import type { RunView } from '../../domain/flows/view-run';
import type { Language } from '../../domain/transactions/input';
import type { ConfirmationProposal, ReplyMeaning } from '../../domain/confirmations/settings';
import type { AnalysisKind, AnalysisResult } from '../../domain/scoring/assess';
import type { ConfirmationView, TransactionView } from '../../domain/transactions/views';

/** Tells the workflow of a webhook that there are new deliveries. */
export const newDeliveries = defineSignal('newDeliveries');

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

/**
 * The signal that ends a workflow run as soon as nothing is in progress, with its record saved. The next workflow run, started from the
 * record, can then have the code of another worker version. Sent by a drain: see docs/upgrades.md.
 */
export const endForUpgrade = defineSignal('endForUpgrade');

/** The query for everything that a caller can read. Inputs: the current time (ISO 8601), and the language of insights (default pt-BR). */
export const view = defineQuery<TransactionView, [string, Language?]>('view');

/** A view, and the version of the newest record that the workflow knows. If the record is newer, the view is not current. */
export interface VersionedView {
  view: TransactionView;
  savedVersion: number;
}

/** Like `view`, with the version by which the API recognizes a workflow that is behind its record. */
export const versionedView = defineQuery<VersionedView, [string, Language?]>('versionedView');
