import { createHash } from 'node:crypto';
import { drawingStyle } from '../../../domain/flows/flow-to-dot';
import { pageHeaders, serveAssets } from '../../http/assets/serve-assets';
import type { RawHandler } from '../../http/route';
import { opensWithoutSignIn } from '../../http/auth/opens-without-sign-in';
import { flowsAssets, renderFlows } from './page-shell';

const drawingHash = createHash('sha256').update(drawingStyle).digest('base64');

/** The page loads everything from this host. The style of the diagrams is the only inline style. */
const contentSecurityPolicy = [
  ...["default-src 'none'", "script-src 'self'", `style-src 'self' 'sha256-${drawingHash}'`, "img-src 'self'"],
  ...["connect-src 'self'", "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"],
].join('; ');

/** GET /flows: the page with the flows and their runs. It needs no access token, because it contains no data. */
export const showFlows: RawHandler = (dependencies, request, response) => {
  response
    .status(200)
    .set(pageHeaders)
    .set('Content-Security-Policy', contentSecurityPolicy)
    .set('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), display-capture=()')
    .set('Content-Language', 'en')
    .type('html')
    .send(renderFlows(dependencies.config.BRAND, opensWithoutSignIn(dependencies, request)));
};

/** GET /flows/assets/{version}/{folder}/browser/{file}. */
export const showFlowsAsset = serveAssets(flowsAssets);
