import type { RawHandler } from '../http/route';
import { type AppPage, sendAppPage } from '../pages/app-page';

const page: AppPage<'reviews'> = {
  folder: 'reviews',
  titles: { 'pt-BR': 'Revisões', en: 'Reviews', es: 'Revisiones' },
  // The script shows images by blob URLs.
  sources: { 'img-src': "'self' blob:" },
};

/** GET /reviews: the page of the reviewers. */
export const showReviews: RawHandler = (dependencies, request, response) =>
  sendAppPage(dependencies, request, response, page, {});
