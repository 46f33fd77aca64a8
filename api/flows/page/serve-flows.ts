import { createHash } from 'node:crypto';
import { drawingStyle } from '../../../domain/flows/flow-to-dot';
import { pageHeaders, serveAssets } from '../../http/assets/serve-assets';
import type { Serve } from '../../http/route';
import { isOpenTo } from './open-session';
import { flowsAssets, renderFlows } from './page-shell';

const drawingHash = createHash('sha256').update(drawingStyle).digest('base64');

/** Everything comes from this host. The style of the drawings is the only inline style. */
const policy = [
  ...["default-src 'none'", "script-src 'self'", `style-src 'self' 'sha256-${drawingHash}'`, "img-src 'self'"],
  ...["connect-src 'self'", "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"],
].join('; ');

/** GET /flows: the page of the product team. It needs no token, because it contains no data. */
export const showFlows: Serve = (dependencies, request, response) => {
  response
    .status(200)
    .set(pageHeaders)
    .set('Content-Security-Policy', policy)
    .set('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), display-capture=()')
    .set('Content-Language', 'en')
    .type('html')
    .send(renderFlows(dependencies.config.BRAND, isOpenTo(dependencies, request)));
};

/** GET /flows/assets/{version}/{folder}/browser/{file}. */
export const showFlowsAsset = serveAssets(flowsAssets);
