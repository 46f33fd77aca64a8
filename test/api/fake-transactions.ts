import * as contract from '../../workflows/contract/commands';
import { randomUUID } from 'node:crypto';
import { createHashActivities } from '../../activities/messages/compose-message';
import { currentStepName, type FlowRun, type RunPlan } from '../../domain/flows/run';
import { findRun, withRun } from '../../domain/flows/runs';
import { advanceRuns } from '../../domain/flows/advance-runs';
import {
  decideOnCancel,
  decideOnResend,
  decideOnRunCode,
  decideOnStart,
  type RunAttempt,
  type RunCommand,
} from '../../domain/flows/run-commands';
import { type RunView, viewRun } from '../../domain/flows/view-run';
import type { Keys } from '../../platform/keys/service-keys';
import { testKeys } from '../support/build';
import {
  decideOnCode,
  decideOnReply,
  decideOnRequest,
  type ConfirmationReply,
  type TokenAttempt,
} from '../../domain/confirmations/commands';
import type { Confirmation } from '../../domain/confirmations/confirmation';
import { applyDeliveryStatus, expireConfirmations } from '../../domain/confirmations/delivery';
import type { Biometrics, BiometricsProposal } from '../../domain/biometrics/biometrics';
import { linkInReview } from '../../domain/biometrics/capture';
import { applyLinkDelivery, expireLink } from '../../domain/biometrics/link';
import {
  decideOnAction,
  decideOnErasure,
  decideOnLink,
  decideOnReview,
  type BiometricsDecision,
  type LinkAction,
} from '../../domain/biometrics/commands';
import { createDomainError, type Decided, type DomainError } from '../../domain/domain-error';
import type { Channel, ConfirmationProposal, ConfirmationSettings } from '../../domain/confirmations/settings';
import { addSend, type RequestedSend } from '../../domain/confirmations/send';
import { withAssessment } from '../../domain/transactions/outcome';
import { analysisOf, analysisError, withReassessment } from '../../domain/scoring/assess';
import type { EvidenceAndPolicy } from '../../domain/scoring/evidence';
import { defaultPolicy } from '../../domain/scoring/policy';
import { newState, type TransactionState } from '../../domain/transactions/state';
import { toView, viewConfirmation, viewTransaction } from '../../domain/transactions/views';
import { Problem } from '../../api/http/problem';
import { uuidV7 } from '../../api/transactions/proposed-ids';
import {
  CommandRejected,
  type CommandRequest,
  type Target,
  type Transactions,
} from '../../api/transactions/transactions';
import type { Erasure } from '../../store/privacy/erase-transaction';
import type { LinkInReview } from '../../store/transactions/biometrics-links.sql';

const defaultAssessment: EvidenceAndPolicy = {
  evidence: { document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false } },
  policy: defaultPolicy,
};

/** Reviews are listed in this order. */
const sortKey = ({ biometrics: { submittedAt, id } }: LinkInReview) => `${submittedAt} ${id}`;

type CommandHandler = (target: Target, input: never, key?: string) => Promise<unknown>;

const defineHandler = <Input, Output>(
  command: contract.Command<Input, Output>,
  handle: (target: Target, input: Input, key?: string) => Promise<Output>,
): [string, CommandHandler] => [command.name, handle];

/** Transactions in memory, with the real rules of the domain, but without Temporal and Postgres. */
export class FakeTransactions implements Transactions {
  readonly states = new Map<string, TransactionState>();
  /** Delivery statuses from the API. They change no transaction. */
  readonly reportedDeliveryStatuses: contract.DeliveryStatusReport[] = [];
  /** Oldest first. */
  readonly confirmationIds: string[] = [];
  /** Each call removes the first error, and throws it. */
  readonly nextErrors: (Problem | DomainError['type'])[] = [];
  /** Oldest first. */
  readonly linkProposals: BiometricsProposal[] = [];
  /** Whether the provider accepts a message with a link. The default is `accepted`. */
  readonly linkDeliveries: Partial<Record<Channel, 'accepted' | 'failed'>> = {};
  /** As the worker does. */
  eraseImageFiles: (target: Target, actor: string) => Promise<void> = async () => {};
  /** Erases all data except images, as the service does. */
  eraseData: (target: Target, actor: string) => Promise<Erasure> = async ({ id }) => ({
    transactionId: id,
    erasedAt: this.#now(),
  });

  erase: Transactions['erase'] = (target, actor) => this.eraseData(target, actor);
  /** By idempotency key. */
  readonly #decisions = new Map<string, Biometrics>();
  /** The result of every assessment from now on. */
  assessment = defaultAssessment;
  keys: Keys = testKeys;
  /** How far the clock is ahead of the real time. */
  clockOffsetMs = 0;

  create: Transactions['create'] = async (tenant, initial) => {
    this.#failIfPlanned();
    const state = newState({ tenant, id: uuidV7(), ...initial, createdAt: this.#now() });
    this.#save(withAssessment(state, this.assessment));
    return { transaction: viewTransaction(state), replayed: false };
  };

  /** This fake saves no idempotency keys of created transactions. */
  findByIdempotencyKey: Transactions['findByIdempotencyKey'] = async () => undefined;

  send: Transactions['send'] = async <Input, Output>(
    target: Target,
    command: contract.Command<Input, Output>,
    { input, idempotencyKey }: CommandRequest<Input>,
  ) => {
    this.#failIfPlanned();
    const handle = this.#commands[command.name];
    if (!handle) throw new Error(`The fake has no command ${command.name}.`);
    return (await handle(target, input as never, idempotencyKey)) as Output;
  };

  readonly #commands: Record<string, CommandHandler> = Object.fromEntries([
    defineHandler(contract.requestConfirmation, (target, proposal) => this.#requestConfirmation(target, proposal)),
    defineHandler(contract.checkConfirmationCode, (target, token) => this.#checkCode(target, token)),
    defineHandler(contract.replyToConfirmation, (target, reply) => this.#replyToConfirmation(target, reply)),
    defineHandler(contract.analyse, (target, request) => this.#analyse(target, request)),
    defineHandler(contract.startFlow, (target, plan) => this.#startFlow(target, plan)),
    defineHandler(contract.checkFlowCode, (target, answer) => this.#checkFlowCode(target, answer)),
    defineHandler(contract.resendFlow, (target, run) => this.#resendFlow(target, run)),
    defineHandler(contract.cancelFlow, (target, run) => this.#cancelFlow(target, run)),
    defineHandler(contract.requestBiometrics, (target, proposal) => this.#requestBiometrics(target, proposal)),
    defineHandler(contract.applyPageAction, (target, action) => this.#applyPageAction(target, action)),
    defineHandler(contract.decideBiometrics, (target, decision, key) => this.#decideBiometrics(target, decision, key)),
    defineHandler(contract.eraseBiometrics, (target, erasure) => this.#eraseBiometrics(target, erasure)),
  ]);

  /** Decides on a command as a workflow does. Throws CommandRejected. */
  #decide<Input, Decision extends object>(
    target: Target,
    decide: (state: TransactionState, input: Input, at: string) => Decided<Decision>,
    input: Input,
  ): Exclude<Decision, { error: unknown }> {
    const decided = decide(this.#requireState(target), input, this.#now());
    if ('error' in decided) throw new CommandRejected(decided.error);
    return decided as Exclude<Decision, { error: unknown }>;
  }

  #saveSend({ state, confirmation, send }: RequestedSend): Confirmation {
    if (!this.confirmationIds.includes(confirmation.id)) this.confirmationIds.push(confirmation.id);
    const deliveryStatus = confirmation.settings.channel === 'email' ? 'sent' : 'accepted';
    const next = applyDeliveryStatus(state, send.id, { status: deliveryStatus }, this.#now()) ?? state;
    this.#save(next);
    return next.confirmations.find(({ id }) => id === confirmation.id) ?? confirmation;
  }

  async #requestConfirmation(target: Target, proposal: ConfirmationProposal) {
    const decided = this.#decide(target, decideOnRequest, proposal);
    return viewConfirmation('existing' in decided ? decided.existing : this.#saveSend(decided));
  }

  async #checkCode(target: Target, attempt: TokenAttempt) {
    const { allowed } = this.#decide(target, decideOnCode, attempt).outcomes;
    this.#save(allowed.state);
    return allowed.answer;
  }

  async #replyToConfirmation(target: Target, reply: ConfirmationReply) {
    const { state } = this.#decide(target, decideOnReply, reply);
    this.#save(state);
    return { outcome: state.confirmations.find(({ id }) => id === reply.confirmationId)?.outcome ?? 'no' };
  }

  reportDeliveryStatus: Transactions['reportDeliveryStatus'] = async (_target, deliveryStatus) => {
    this.#failIfPlanned();
    this.reportedDeliveryStatuses.push(deliveryStatus);
  };

  async #analyse(target: Target, { analysis }: contract.AnalysisRequest) {
    const state = this.#requireState(target);
    const error = analysisError(state, analysis);
    if (error) throw new CommandRejected(error);
    this.#save(withReassessment(state, this.assessment, this.#now()));
    return analysisOf(this.#requireState(target), analysis);
  }

  async #startFlow(target: Target, plan: RunPlan) {
    const decided = this.#decide(target, decideOnStart, plan);
    if ('state' in decided) {
      this.#save(decided.state);
      await this.#requestInRun(target, decided.run);
    }
    return this.#viewRun(target, plan.runId);
  }

  /** Requests the confirmation of the current step. */
  async #requestInRun(target: Target, run: FlowRun): Promise<void> {
    const proposal = run.plan?.confirmations[currentStepName(run)];
    if (!proposal) return;
    const isFirst = findRun(this.#requireState(target), run.id)?.awaiting === undefined && run.path.length === 1;
    const code = (isFirst && run.plan?.firstCode) || (await this.#newCode(target, proposal.settings));
    const confirmation = this.#saveSend(this.#decide(target, addSend, { ...proposal, ...code }));
    const awaiting = { confirmationId: confirmation.id };
    this.#save(withRun(this.#requireState(target), { ...run, awaiting }));
  }

  async #newCode({ id: transactionId }: Target, { name, codeDigits = 6 }: ConfirmationSettings) {
    const confirmationId = randomUUID();
    const request = { transactionId, confirmationId, name, codeDigits };
    return { confirmationId, ...(await createHashActivities(this.keys).digestCode(request)) };
  }

  async #checkFlowCode(target: Target, attempt: RunAttempt) {
    const { allowed } = this.#decide(target, decideOnRunCode, attempt).outcomes;
    this.#save(advanceRuns(allowed.state, this.#now()));
    return { answer: allowed.answer, run: this.#viewRun(target, attempt.runId) };
  }

  async #resendFlow(target: Target, { runId }: RunCommand) {
    await this.#requestInRun(target, this.#decide(target, decideOnResend, { runId }).run);
    return this.#viewRun(target, runId);
  }

  async #cancelFlow(target: Target, { runId }: RunCommand) {
    this.#save(this.#decide(target, decideOnCancel, { runId }).state);
    return this.#viewRun(target, runId);
  }

  #viewRun(target: Target, runId: string): RunView {
    const state = this.#requireState(target);
    const run = findRun(state, runId);
    if (!run) throw new CommandRejected(createDomainError('RunNotFound', 'none'));
    return viewRun(state, run);
  }

  read: Transactions['read'] = async (target, language) => {
    this.#failIfPlanned();
    return { view: toView(this.#requireState(target), this.#now(), language), source: 'record' };
  };

  readLatest: Transactions['readLatest'] = async (target) => toView(this.#requireState(target), this.#now());

  readState: Transactions['readState'] = async (target) => {
    this.#failIfPlanned();
    return expireConfirmations(this.#requireState(target), this.#now());
  };

  async #requestBiometrics(target: Target, proposal: BiometricsProposal) {
    this.linkProposals.push(proposal);
    const decided = this.#decide(target, decideOnLink, proposal);
    if ('existing' in decided) return decided.existing;
    const { state, biometrics } = decided;
    const nextState = biometrics.sends.reduce(
      (currentState, { id, channel }) =>
        applyLinkDelivery(currentState, id, { status: this.linkDeliveries[channel] ?? 'accepted' }) ?? currentState,
      state,
    );
    this.#save(nextState);
    return nextState.biometrics?.at(-1) ?? biometrics;
  }

  async #applyPageAction(target: Target, action: LinkAction) {
    const { state, biometrics } = this.#decide(target, decideOnAction, action);
    this.#save(state);
    return biometrics;
  }

  async #decideBiometrics(target: Target, decision: BiometricsDecision, key = '') {
    const storedDecision = this.#decisions.get(key);
    if (storedDecision) return storedDecision;
    const { state, biometrics } = this.#decide(target, decideOnReview, decision);
    this.#save(state);
    if (key) this.#decisions.set(key, biometrics);
    return biometrics;
  }

  async #eraseBiometrics(target: Target, { by }: { by: string }) {
    const { state } = this.#decide(target, decideOnErasure, { by });
    this.#save(state);
    await this.eraseImageFiles(target, by);
    return { erasedAt: state.changedAt };
  }

  readLink: Transactions['readLink'] = async (tokenHash) => {
    this.#failIfPlanned();
    return this.#findLink((link) => link.tokenHash === tokenHash);
  };

  readReview: Transactions['readReview'] = async (tenant, id) => {
    const review = this.#findLink((link) => link.id === id);
    return review?.state.tenant === tenant ? review : undefined;
  };

  listReviews: Transactions['listReviews'] = async (tenant, { limit, after }) => {
    const found = [...this.states.values()]
      .filter((state) => state.tenant === tenant)
      .flatMap((state) => {
        const biometrics = linkInReview(state);
        return biometrics ? [{ transactionId: state.id, biometrics }] : [];
      })
      .toSorted((left, right) => sortKey(left).localeCompare(sortKey(right)))
      .filter((review) => !after || sortKey(review) > `${after.at} ${after.id}`);
    const reviews = found.slice(0, limit);
    const last = found.length > limit ? reviews.at(-1)?.biometrics : undefined;
    return { reviews, ...(last && { next: { at: last.submittedAt ?? '', id: last.id } }) };
  };

  #findLink(matches: (link: Biometrics) => boolean) {
    for (const stored of this.states.values()) {
      const state = expireLink(stored, this.#now());
      const biometrics = state.biometrics?.find(matches);
      if (biometrics) return { state, biometrics };
    }
    return undefined;
  }

  /** Applies the status to the newest message, as the workflow does. */
  applyDeliveryReport(target: Target, status: contract.DeliveryStatusReport['status']): void {
    const state = this.#requireState(target);
    const sendId = state.confirmations.at(-1)?.sends.at(-1)?.id ?? '';
    this.#save(applyDeliveryStatus(state, sendId, { status }, this.#now()) ?? state);
  }

  #now(): string {
    return new Date(Date.now() + this.clockOffsetMs).toISOString();
  }

  #requireState({ tenant, id }: Target): TransactionState {
    const state = this.states.get(`${tenant}/${id}`);
    if (!state) throw new Problem('transaction_not_found');
    return state;
  }

  #save(state: TransactionState): void {
    this.states.set(`${state.tenant}/${state.id}`, state);
  }

  #failIfPlanned(): void {
    const error = this.nextErrors.shift();
    if (error instanceof Problem) throw error;
    if (error) throw new CommandRejected(createDomainError(error, error));
  }
}
