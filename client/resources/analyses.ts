import type { CallOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** Scores, ratings and insights of a transaction. `reassess…` computes them again. */
export class Analyses {
  constructor(private readonly transport: Transport) {}

  /** All scores, oldest first. */
  listScores(id: string, options?: CallOptions) {
    return this.transport.call('listScores', { path: { id } }, options);
  }

  /** Which rules gave which points. */
  explainScores(id: string, options?: CallOptions) {
    return this.transport.call('explainScores', { path: { id } }, options);
  }

  reassessScores(id: string, options?: CallOptions) {
    return this.transport.call('reassessScores', { path: { id } }, options);
  }

  reassessRatings(id: string, options?: CallOptions) {
    return this.transport.call('reassessRatings', { path: { id } }, options);
  }

  reassessInsights(id: string, options?: CallOptions) {
    return this.transport.call('reassessInsights', { path: { id } }, options);
  }

  checkCard(id: string, options?: CallOptions) {
    return this.transport.call('checkCard', { path: { id } }, options);
  }
}
