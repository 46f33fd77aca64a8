import { condition, isCancellation } from '@temporalio/workflow';
import { failure } from '../domain/failures';
import { limits } from '../domain/limits';
import { withAssessment } from '../domain/outcome';
import { type AnalysisMark, markOf } from '../domain/scoring/analyses';
import { reassessed } from '../domain/scoring/assess';
import { type Assessment, toAssessment } from '../domain/scoring/assessment';
import { judgeAnalysis } from '../domain/scoring/judge-analysis';
import { knownOf } from '../domain/scoring/known';
import { assessTransaction, reassessTransaction } from './activities';
import type { AnalysisAsked } from './contract';
import { type Life, now } from './life';
import { refusal, refusalOf } from './refusal';

/** The first assessment takes some 100 ms. One that takes longer failed, and whoever asks meanwhile is to hear why. */
const firstMs = 1_000;

/** The analyses of one transaction: the first, which nobody asks for, and those that callers ask for. */
export class Analyses {
  /** Looks that were begun, and the newest of them that is in. */
  #begun = 0;
  #last = 0;
  #looking = false;
  /** Callers who wait for a look. */
  #waiting = 0;

  constructor(private readonly life: Life) {}

  /** The first assessment. One that a caller asked for meanwhile has done its work already. */
  async begin(): Promise<void> {
    const before = this.life.state;
    const found = toAssessment(await assessTransaction(before));
    if (this.life.state.evidence) return;
    const moved = this.life.state !== before;
    this.life.change(withAssessment(this.life.state, found));
    // The activity kept the record of the state that it was given; what came meanwhile is not in it.
    if (moved) await this.life.save();
  }

  check({ analysis }: AnalysisAsked): void {
    const refused = judgeAnalysis(this.life.state, analysis);
    if (refused) throw refusal(refused);
    // Temporal takes ten updates of a workflow at a time: looks that hang must leave room for a code that comes back.
    if (this.#waiting >= limits.looksAtOnce)
      throw refusal(failure('AnalysisBusy', 'Other analyses of this transaction are under way.'));
  }

  /** Looks anew, and appends what came out differently. Asked again with nothing changed, the answer is the same. */
  async analyse({ analysis }: AnalysisAsked): Promise<AnalysisMark> {
    this.#waiting += 1;
    try {
      if (!this.life.state.evidence) await condition(() => this.life.state.evidence !== undefined, firstMs);
      await this.#lookAfter(this.#begun);
      return markOf(this.life.state, analysis);
    } finally {
      this.#waiting -= 1;
    }
  }

  /**
   * Returns once a look is in that began after the one of that number. One at a time, so that no older evidence
   * replaces a newer one; callers who wait together share one.
   */
  async #lookAfter(number: number): Promise<void> {
    while (this.#last <= number) {
      if (this.#looking) await condition(() => !this.#looking);
      else await this.#look();
    }
  }

  async #look(): Promise<void> {
    this.#begun += 1;
    const number = this.#begun;
    this.#looking = true;
    try {
      const found = await this.#found();
      const { state } = this.life;
      // Even when nothing came out differently: how often a record changes must not depend on rules, which a release
      // may change, and a transaction that somebody looks at is not idle.
      this.life.change(state.evidence ? reassessed(state, found, now()) : withAssessment(state, found));
      await this.life.save();
      this.#last = number;
    } finally {
      this.#looking = false;
    }
  }

  async #found(): Promise<Assessment> {
    const { tenant, id, input, createdAt, evidence } = this.life.state;
    try {
      return await reassessTransaction({ tenant, id, input, createdAt, known: knownOf(evidence) });
    } catch (error) {
      if (isCancellation(error)) throw error;
      throw refusalOf(error) ?? refusal(failure('AnalysisFailed', 'The analysis failed.'));
    }
  }
}
