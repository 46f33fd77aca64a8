import { pageHeaders, serveAssets } from '../../http/assets/serve-assets';
import type { RawHandler } from '../../http/route';
import { renderReviews, reviewAssets } from './page-shell';

/** Everything comes from this host. The script shows images by blob URLs. */
const contentSecurityPolicy = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "connect-src 'self'"],
  ...["form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"],
].join('; ');

/** GET /reviews: the page of the reviewers. It needs no access token, because it contains no data. */
export const showReviews: RawHandler = ({ config }, _request, response) => {
  response
    .status(200)
    .set(pageHeaders)
    .set('Content-Security-Policy', contentSecurityPolicy)
    .set('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), display-capture=()')
    .set('Content-Language', 'en')
    .type('html')
    .send(renderReviews(config.BRAND));
};

/** GET /reviews/assets/{version}/{folder}/browser/{file}. */
export const showReviewAsset = serveAssets(reviewAssets);
