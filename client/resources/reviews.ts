import type { DecisionRequest } from '../generated/schemas.ts';
import type { CallOptions, QueryOf } from '../operation.ts';
import type { Transport } from '../transport.ts';

/** Decisions of reviewers on images. */
export class Reviews {
  constructor(private readonly transport: Transport) {}

  /** The open reviews, oldest first. */
  list(query: QueryOf<'listReviews'> = {}, options?: CallOptions) {
    return this.transport.list('listReviews', 'reviews', { query }, options);
  }

  retrieve(reviewId: string, options?: CallOptions) {
    return this.transport.call('getReview', { path: { reviewId } }, options);
  }

  decide(reviewId: string, body: DecisionRequest, options?: CallOptions) {
    return this.transport.call('decideReview', { path: { reviewId }, body }, options);
  }
}
