import { Problem } from '../http/problem';
import type { RawHandler } from '../http/route';
import { type AppPage, sendAppPage } from '../pages/app-page';
import { signedOutCookie } from './session';

const page: AppPage<'codec'> = {
  folder: 'codec',
  titles: { 'pt-BR': 'Temporal UI', en: 'Temporal UI', es: 'Temporal UI' },
};

/** GET /codec/sign-in: the page on which operators sign in. Throws not_found without TEMPORAL_UI_URL. */
export const showSignIn: RawHandler = (dependencies, request, response) => {
  const { config } = dependencies;
  if (config.TEMPORAL_UI_URL === undefined) throw new Problem('not_found');
  response.set('Set-Cookie', signedOutCookie(config));
  sendAppPage(dependencies, request, response, page, { uiUrl: config.TEMPORAL_UI_URL });
};
