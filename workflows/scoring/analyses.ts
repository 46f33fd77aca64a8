import { Mutex } from 'async-mutex';
import { condition, isCancellation } from '@temporalio/workflow';
import { createDomainError, type Decided } from '../../domain/domain-error';
import { limits } from '../../domain/transactions/limits';
import { withAssessment } from '../../domain/transactions/outcome';
import { analysisOf, analysisError, type AnalysisResult, withReassessment } from '../../domain/scoring/assess';
import { type EvidenceAndPolicy, lookupsOf } from '../../domain/scoring/evidence';
import type { TransactionState } from '../../domain/transactions/state';
import { assessTransaction, reassessTransaction } from '../activities';
import type { AnalysisRequest } from '../contract/commands';
import { toFailure, domainFailureOf } from '../failures';
import type { LiveTransaction } from '../live-transaction';

/**
 * How long a request for an analysis waits for the first assessment, which takes about 100 ms. After this time, the request makes its own
 * assessment. If its own assessment fails too, the caller gets the error.
 */
const firstAssessmentWaitMs = 1_000;

/** The analyses of one transaction: the first assessment, and the reassessments that callers request. */
export class Analyses {
  /** Allows only one reassessment at a time, so that older evidence never replaces newer evidence. */
  readonly #reassessmentLock = new Mutex();
  /** Reassessments are numbered. These are the numbers of the last reassessment that started, and of the last one that finished. */
  #lastStarted = 0;
  #lastFinished = 0;
  /** How many callers wait for a reassessment. */
  #waitingCallers = 0;

  constructor(private readonly live: LiveTransaction) {}

  /** Assesses a transaction that has no evidence yet. Changes nothing if an analysis that a caller requested has assessed the transaction meanwhile. */
  async assess(): Promise<void> {
    const { tenant, id, input, createdAt } = this.live.state;
    const assessment = await assessTransaction({ tenant, id, input, createdAt });
    await this.live.runExclusive(async (at) => {
      if (this.live.state.evidence) return;
      this.live.change(withAssessment(this.live.state, assessment, at));
      await this.live.save();
    });
  }

  /** Decides whether an analysis can be done now. */
  decide(state: TransactionState, { analysis }: AnalysisRequest): Decided<object> {
    const error = analysisError(state, analysis);
    if (error) return { error };
    // Temporal accepts ten concurrent updates per workflow. Slow analyses must leave room for the code that a person enters.
    return this.#waitingCallers >= limits.concurrentAnalyses
      ? { error: createDomainError('AnalysisBusy', 'Other analyses of this transaction are running.') }
      : {};
  }

  /**
   * Reassesses the transaction, and appends what is different. Returns the requested part: scores, ratings, insights or the card check. If
   * nothing has changed, a second request gets the same answer. If several callers wait for the lock, they share one reassessment, which
   * starts after all their requests have arrived.
   */
  async analyse({ analysis }: AnalysisRequest): Promise<AnalysisResult> {
    this.#waitingCallers += 1;
    try {
      if (!this.live.state.evidence)
        await condition(() => this.live.state.evidence !== undefined, firstAssessmentWaitMs);
      const startedBefore = this.#lastStarted;
      await this.#reassessmentLock.runExclusive(async () => {
        if (this.#lastFinished <= startedBefore) await this.#reassess();
      });
      return analysisOf(this.live.state, analysis);
    } finally {
      this.#waitingCallers -= 1;
    }
  }

  async #reassess(): Promise<void> {
    this.#lastStarted += 1;
    const reassessmentNumber = this.#lastStarted;
    const assessment = await this.#requestAssessment();
    await this.live.runExclusive(async (at) => {
      const { state } = this.live;
      // This counts as a change even if the result is the same: a transaction that somebody analyses is not idle.
      this.live.change(
        state.evidence ? withReassessment(state, assessment, at) : withAssessment(state, assessment, at),
      );
      await this.live.save();
    });
    this.#lastFinished = reassessmentNumber;
  }

  async #requestAssessment(): Promise<EvidenceAndPolicy> {
    const { tenant, id, input, createdAt, evidence } = this.live.state;
    try {
      return await reassessTransaction({ tenant, id, input, createdAt, earlierLookups: lookupsOf(evidence) });
    } catch (error) {
      if (isCancellation(error)) throw error;
      throw domainFailureOf(error) ?? toFailure(createDomainError('AnalysisFailed', 'The analysis failed.'));
    }
  }
}
