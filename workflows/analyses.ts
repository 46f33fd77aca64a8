import { isCancellation } from '@temporalio/workflow';
import { failure } from '../domain/failures';
import { withAssessment } from '../domain/outcome';
import { type Analysed, analysisOf } from '../domain/scoring/analyses';
import { reassessed } from '../domain/scoring/assess';
import { type Assessment, toAssessment } from '../domain/scoring/assessment';
import { judgeAnalysis } from '../domain/scoring/judge-analysis';
import type { TransactionState } from '../domain/state';
import { assessTransaction, findEvidence } from './activities';
import type { AnalysisAsked } from './contract';
import { type Life, now } from './life';
import { refusal, refusalOf } from './refusal';

/** The analyses of one transaction: the first, which nobody asks for, and those that callers ask for. */
export class Analyses {
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
  }

  /** Looks anew, and appends what came out differently. Asked again with nothing changed, the answer is the same. */
  async analyse({ analysis }: AnalysisAsked): Promise<Analysed> {
    const found = await Analyses.#look(this.life.state);
    const { state } = this.life;
    const next = state.evidence ? reassessed(state, found, now()) : withAssessment(state, found);
    if (next !== state) this.life.change(next);
    // Always: how many local activities there are must not depend on what was found.
    await this.life.save();
    return analysisOf(this.life.state, analysis);
  }

  static async #look({ tenant, id, input, createdAt, evidence }: TransactionState): Promise<Assessment> {
    const bureau = evidence?.bureau;
    try {
      return await findEvidence({ tenant, id, input, createdAt, ...(bureau ? { bureau } : {}) });
    } catch (error) {
      if (isCancellation(error)) throw error;
      throw refusalOf(error) ?? refusal(failure('AnalysisFailed', 'The analysis failed.'));
    }
  }
}
