import { pageHeaders, serveAssets } from '../../http/assets/serve-assets';
import { Problem } from '../../http/problem';
import type { RawHandler } from '../../http/route';
import { signedOutCookie } from '../session';
import { renderSignIn, signInAssets } from './page-shell';

/** Everything comes from this host. */
const contentSecurityPolicy = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"],
  ...["form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"],
].join('; ');

/** GET /codec/sign-in: the page on which operators sign in. Without TEMPORAL_UI_URL, no UI could use the sign-in. */
export const showSignIn: RawHandler = ({ config }, _request, response) => {
  if (config.TEMPORAL_UI_URL === undefined) throw new Problem('not_found');
  response
    .status(200)
    .set(pageHeaders)
    .set('Content-Security-Policy', contentSecurityPolicy)
    .set('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), display-capture=()')
    .set('Content-Language', 'en')
    .set('Set-Cookie', signedOutCookie(config))
    .type('html')
    .send(renderSignIn(config.BRAND, config.TEMPORAL_UI_URL));
};

/** GET /codec/assets/{version}/{folder}/browser/{file}. */
export const showSignInAsset = serveAssets(signInAssets);
