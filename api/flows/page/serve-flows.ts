import { createHash } from 'node:crypto';
import { drawingStyle } from '../../../domain/flows/flow-to-dot';
import { opensWithoutSignIn } from '../../http/auth/opens-without-sign-in';
import type { RawHandler } from '../../http/route';
import { createPageWithSignIn } from '../../pages/page-with-sign-in';

const drawingHash = createHash('sha256').update(drawingStyle).digest('base64');

const page = createPageWithSignIn({
  folder: 'flows',
  title: 'Flows',
  script: 'flows.mjs',
  styles: ['flows.css', 'drawing.css'],
  signIn: 'Sign in to see flows',
  lead: 'Use a client with the scope flows:read. To see runs, the client also needs transaction:read.',
  // The style of the diagrams is the only inline style.
  sources: { 'style-src': `'self' 'sha256-${drawingHash}'` },
});

/** GET /flows: the page with the flows and their runs. */
export const showFlows: RawHandler = (dependencies, request, response) => {
  page.send(response, dependencies.config.BRAND, opensWithoutSignIn(dependencies, request) ? { open: '' } : {});
};

export const showFlowsAsset = page.showAsset;
