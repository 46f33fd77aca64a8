import type { RawHandler } from '../http/route';
import { createPageWithSignIn } from '../pages/page-with-sign-in';

const page = createPageWithSignIn({
  folder: 'reviews',
  title: 'Reviews',
  script: 'reviews.mjs',
  styles: ['list.css', 'review.css', 'enlarged.css'],
  signIn: 'Sign in to review',
  lead: 'Use your own client, because its id is recorded with each of your decisions.',
  // The script shows images by blob URLs.
  sources: { 'img-src': "'self' blob:" },
});

/** GET /reviews: the page of the reviewers. */
export const showReviews: RawHandler = ({ config }, _request, response) => page.send(response, config.BRAND);

export const showReviewAsset = page.showAsset;
