import type { OpenRoute } from '../route';
import { openSession } from './open-session';
import { showFlows, showFlowsAsset } from './serve-flows';

const page = (path: string, summary: string, serve: OpenRoute['serve']): OpenRoute => ({
  method: 'get',
  path,
  summary,
  answers: { 200: '' },
  serve,
  undocumented: true,
});

/** The page of flows: all that its browser asks for beside the API. */
export const flowsPageRows: readonly OpenRoute[] = [
  page('/flows/assets/{version}/{room}/page/{file}', 'Files of the page of flows', showFlowsAsset),
  page('/flows/session', 'A token for the page on the local stack', openSession),
  page('/flows', 'The page of flows', showFlows),
];
