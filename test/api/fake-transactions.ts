import { randomUUID } from 'node:crypto';
import { createHashActivities } from '../../activities/flow-steps';
import { cancelRun, findRunningRun } from '../../domain/flows/cancel-run';
import { earlierCodeError } from '../../domain/flows/earlier-code';
import { type FlowRun, type RunPlan, type StepConfirmationProposal, currentStepName } from '../../domain/flows/run';
import { findRun, withRun } from '../../domain/flows/find-run';
import { advanceRuns } from '../../domain/flows/advance-runs';
import { startRun } from '../../domain/flows/start-run';
import { type RunView, viewRun } from '../../domain/flows/view-run';
import type { Keys } from '../../platform/keys/keys';
import { testKeys } from '../support/build';
import { createImpossibleCodeError, createTokenClosedError, checkCode, denyToken } from '../../domain/check-code';
import { applyDeliveryStatus, expireConfirmations } from '../../domain/delivery-status';
import type { Biometrics } from '../../domain/biometrics/biometrics';
import { type LinkChange, linkInReview, applyPageAction } from '../../domain/biometrics/capture';
import type { BiometricsProposal } from '../../domain/biometrics/link-proposal';
import { expireLink, applyLinkDelivery, createLink } from '../../domain/biometrics/link';
import { decideOnImages, withoutImages } from '../../domain/biometrics/review';
import { type DomainError, createDomainError } from '../../domain/domain-error';
import type { Channel } from '../../domain/confirmation-settings';
import { applyReply } from '../../domain/reply';
import type { ConfirmationProposal } from '../../domain/confirmation-proposal';
import { requestConfirmation } from '../../domain/request-confirmation';
import { withAssessment } from '../../domain/outcome';
import { analysisOf } from '../../domain/scoring/analyses';
import { withReassessment } from '../../domain/scoring/assess';
import type { EvidenceAndPolicy } from '../../domain/scoring/evidence-and-policy';
import { defaultPolicy } from '../../domain/scoring/default-policy';
import { analysisPrecondition } from '../../domain/scoring/analysis-precondition';
import { newState, type TransactionState } from '../../domain/state';
import { toView, viewConfirmation, viewTransaction } from '../../domain/views';
import { Problem } from '../../api/http/problem';
import { uuidV7 } from '../../api/http/transaction-id';
import { CommandRejected, type CommandRequest, type Target, type Transactions } from '../../api/temporal/transactions';
import type { Erasure } from '../../store/privacy/erase-transaction';
import type { LinkInReview } from '../../store/record/biometrics-links.sql';
import * as contract from '../../workflows/contract';

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

  async #requestConfirmation(target: Target, proposal: ConfirmationProposal) {
    const result = requestConfirmation(this.#requireState(target), proposal, this.#now());
    if ('error' in result) throw new CommandRejected(result.error);
    const { state, confirmation, send } = result;
    if (!this.confirmationIds.includes(confirmation.id)) this.confirmationIds.push(confirmation.id);
    const deliveryStatus = confirmation.settings.channel === 'email' ? 'sent' : 'accepted';
    const next = applyDeliveryStatus(state, send.id, { status: deliveryStatus }, this.#now()) ?? state;
    this.#save(next);
    return viewConfirmation(next.confirmations.find(({ id }) => id === confirmation.id) ?? confirmation);
  }

  async #checkCode(target: Target, { name, digest, digits }: contract.TokenAttempt) {
    const result = checkCode(this.#requireState(target), name, digest, this.#now(), digits);
    if (result.kind === 'none') throw new CommandRejected(createDomainError('ConfirmationNotFound', 'none'));
    if (result.kind === 'impossible') throw new CommandRejected(createImpossibleCodeError(result.answer));
    if (result.kind === 'closed') throw new CommandRejected(createTokenClosedError(result.answer));
    this.#save(result.state);
    return result.answer;
  }

  async #replyToConfirmation(target: Target, { confirmationId, reply }: contract.ConfirmationReply) {
    const state = this.#requireState(target);
    const now = this.#now();
    const next =
      'deny' in reply ? denyToken(state, confirmationId, now) : applyReply(state, confirmationId, reply, now);
    if (!next) throw new CommandRejected(createDomainError('ReplyRefused', 'nothing awaits it'));
    this.#save(next);
    return { outcome: next.confirmations.find(({ id }) => id === confirmationId)?.outcome ?? 'no' };
  }

  reportDeliveryStatus: Transactions['reportDeliveryStatus'] = async (_target, deliveryStatus) => {
    this.#failIfPlanned();
    this.reportedDeliveryStatuses.push(deliveryStatus);
  };

  async #analyse(target: Target, { analysis }: contract.AnalysisRequest) {
    const state = this.#requireState(target);
    const error = analysisPrecondition(state, analysis);
    if (error) throw new CommandRejected(error);
    this.#save(withReassessment(state, this.assessment, this.#now()));
    return analysisOf(this.#requireState(target), analysis);
  }

  async #startFlow(target: Target, plan: RunPlan) {
    const result = startRun(this.#requireState(target), plan, this.#now());
    if ('error' in result) throw new CommandRejected(result.error);
    this.#save(result.state);
    const proposal = plan.confirmations[currentStepName(result.run)];
    if (proposal) await this.#requestInRun(target, result.run, proposal);
    return this.#viewRun(target, plan.runId);
  }

  /** Requests the confirmation of the current step. */
  async #requestInRun(target: Target, run: FlowRun, proposal: StepConfirmationProposal): Promise<void> {
    const { name, codeDigits } = proposal.settings;
    const codeRequest = { transactionId: target.id, confirmationId: randomUUID(), name, codeDigits: codeDigits ?? 6 };
    const { digest } = await createHashActivities(this.keys).digestCode(codeRequest);
    await this.#requestConfirmation(target, { ...proposal, confirmationId: codeRequest.confirmationId, digest });
    const awaiting = { confirmationId: this.#requireState(target).confirmations.at(-1)?.id ?? '' };
    this.#save(withRun(this.#requireState(target), { ...run, awaiting }));
  }

  async #checkFlowCode(target: Target, { runId, digests, digits }: contract.RunAttempt) {
    const error = earlierCodeError(this.#requireState(target), runId, digests, this.#now());
    if (error) throw new CommandRejected(error);
    this.#requireRunning(target, runId);
    const name = this.#requireState(target).confirmations.at(-1)?.settings.name ?? '';
    const answer = await this.#checkCode(target, {
      name,
      digest: digests[name] ?? '',
      ...(digits === undefined ? {} : { digits }),
    });
    this.#save(advanceRuns(this.#requireState(target), this.#now()));
    return { answer, run: this.#viewRun(target, runId) };
  }

  async #resendFlow(target: Target, { runId }: contract.RunCommand) {
    const run = this.#requireRunning(target, runId);
    const proposal = run.plan?.confirmations[currentStepName(run)];
    if (proposal) await this.#requestInRun(target, run, proposal);
    return this.#viewRun(target, runId);
  }

  async #cancelFlow(target: Target, { runId }: contract.RunCommand) {
    const result = cancelRun(this.#requireState(target), runId, this.#now());
    if ('error' in result) throw new CommandRejected(result.error);
    this.#save(result.state);
    return this.#viewRun(target, runId);
  }

  #requireRunning(target: Target, runId: string): FlowRun {
    this.#failIfPlanned();
    const result = findRunningRun(this.#requireState(target), runId);
    if ('error' in result) throw new CommandRejected(result.error);
    return result.run;
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
    const { state, biometrics } = this.#requireChange(createLink(this.#requireState(target), proposal, this.#now()));
    const nextState = biometrics.sends.reduce(
      (currentState, { id, channel }) =>
        applyLinkDelivery(currentState, id, { status: this.linkDeliveries[channel] ?? 'accepted' }) ?? currentState,
      state,
    );
    this.#save(nextState);
    return nextState.biometrics?.at(-1) ?? biometrics;
  }

  async #applyPageAction(target: Target, { biometricsId, owner, ...action }: contract.LinkAction) {
    const { state, biometrics } = this.#requireChange(
      applyPageAction(this.#requireState(target), biometricsId, action, owner, this.#now()),
    );
    this.#save(state);
    return biometrics;
  }

  async #decideBiometrics(target: Target, { biometricsId, ...decision }: contract.BiometricsDecision, key = '') {
    const storedDecision = this.#decisions.get(key);
    if (storedDecision) return storedDecision;
    const { state, biometrics } = this.#requireChange(
      decideOnImages(this.#requireState(target), biometricsId, { ...decision, at: this.#now() }),
    );
    this.#save(state);
    if (key) this.#decisions.set(key, biometrics);
    return biometrics;
  }

  async #eraseBiometrics(target: Target, { by }: { by: string }) {
    const state = withoutImages(this.#requireState(target), this.#now());
    if (!state) throw new CommandRejected(createDomainError('BiometricsNotFound', 'none'));
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

  #requireChange(change: LinkChange): Exclude<LinkChange, { error: DomainError }> {
    if ('error' in change) throw new CommandRejected(change.error);
    return change;
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
