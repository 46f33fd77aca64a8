import { Mutex } from 'async-mutex';
import { condition, isCancellation } from '@temporalio/workflow';
import { createDomainError } from '../domain/domain-error';
import { limits } from '../domain/limits';
import { withAssessment } from '../domain/outcome';
import { type AnalysisResult, analysisOf } from '../domain/scoring/analyses';
import { withReassessment } from '../domain/scoring/assess';
import { type Assessment, toAssessment } from '../domain/scoring/assessment';
import { analysisPrecondition } from '../domain/scoring/analysis-precondition';
import { lookupsOf } from '../domain/scoring/lookups';
import { assessTransaction, reassessTransaction } from './activities';
import type { AnalysisRequest } from './contract';
import { domainError, domainErrorBehind } from './domain-errors';
import { type LiveTransaction, now } from './live-transaction';

/** The first assessment takes some 100 ms. One that takes longer failed, and whoever waits for it should hear why. */
const firstMs = 1_000;

/** The analyses of one transaction: the first, which nobody asks for, and those that callers ask for. */
export class Analyses {
  /** One reassessment at a time, so that no older evidence replaces a newer one. */
  readonly #reassessing = new Mutex();
  /** Reassessments that were started, and the newest that is finished. */
  #started = 0;
  #finished = 0;
  /** Callers who wait for one. */
  #waiting = 0;

  constructor(private readonly live: LiveTransaction) {}

  /** The first assessment. One that a caller asked for meanwhile has done its work already. */
  async begin(): Promise<void> {
    const before = this.live.state;
    const found = toAssessment(await assessTransaction(before));
    await this.live.exclusive(async () => {
      if (this.live.state.evidence) return;
      const moved = this.live.state !== before;
      this.live.change(withAssessment(this.live.state, found));
      // The activity saved the record of the state that it was given; what came meanwhile is not in it.
      if (moved) await this.live.save();
    });
  }

  check({ analysis }: AnalysisRequest): void {
    const error = analysisPrecondition(this.live.state, analysis);
    if (error) throw domainError(error);
    // Temporal takes ten updates of a workflow at a time: analyses that hang must leave room for a code that comes back.
    if (this.#waiting >= limits.concurrentAnalyses)
      throw domainError(createDomainError('AnalysisBusy', 'Other analyses of this transaction are running.'));
  }

  /**
   * Assesses again, and appends what came out differently. Asked again with nothing changed, the answer is the same. Callers who
   * wait together share one reassessment: the first that starts after they asked.
   */
  async analyse({ analysis }: AnalysisRequest): Promise<AnalysisResult> {
    this.#waiting += 1;
    try {
      if (!this.live.state.evidence) await condition(() => this.live.state.evidence !== undefined, firstMs);
      const before = this.#started;
      await this.#reassessing.runExclusive(async () => {
        if (this.#finished <= before) await this.#reassess();
      });
      return analysisOf(this.live.state, analysis);
    } finally {
      this.#waiting -= 1;
    }
  }

  async #reassess(): Promise<void> {
    this.#started += 1;
    const number = this.#started;
    const found = await this.#found();
    await this.live.exclusive(async () => {
      const { state } = this.live;
      // Even when nothing came out differently: a transaction that somebody analyses is not idle.
      this.live.change(state.evidence ? withReassessment(state, found, now()) : withAssessment(state, found));
      await this.live.save();
    });
    this.#finished = number;
  }

  async #found(): Promise<Assessment> {
    const { tenant, id, input, createdAt, evidence } = this.live.state;
    try {
      return await reassessTransaction({ tenant, id, input, createdAt, known: lookupsOf(evidence) });
    } catch (error) {
      if (isCancellation(error)) throw error;
      throw domainErrorBehind(error) ?? domainError(createDomainError('AnalysisFailed', 'The analysis failed.'));
    }
  }
}
