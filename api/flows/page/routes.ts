import { browserRow, type OpenRoute } from '../../http/route';
import { openSession } from './open-session';
import { showFlows, showFlowsAsset } from './serve-flows';

/** The page of flows: all that its browser asks for beside the API. */
export const flowsPageRoutes: readonly OpenRoute[] = [
  browserRow('get', '/flows/assets/{version}/{folder}/browser/{file}', 'Files of the page of flows', showFlowsAsset),
  browserRow('get', '/flows/session', 'A token for the page on the local stack', openSession),
  browserRow('get', '/flows', 'The page of flows', showFlows),
];
