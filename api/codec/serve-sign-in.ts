import { Problem } from '../http/problem';
import type { RawHandler } from '../http/route';
import { createPageWithSignIn } from '../pages/page-with-sign-in';
import { signedOutCookie } from './session';

const page = createPageWithSignIn({
  folder: 'codec',
  title: 'Temporal UI',
  script: 'sign-in-codec.mjs',
  styles: [],
  signIn: 'Sign in to read transactions in the Temporal UI',
  lead: 'Use your own client with the scope operator:decode, because the audit log records its id for each transaction that you read.',
});

/** GET /codec/sign-in: the page on which operators sign in. Without TEMPORAL_UI_URL, no UI could use the sign-in. */
export const showSignIn: RawHandler = ({ config }, _request, response) => {
  if (config.TEMPORAL_UI_URL === undefined) throw new Problem('not_found');
  response.set('Set-Cookie', signedOutCookie(config));
  page.send(response, config.BRAND, {
    'ui-url': config.TEMPORAL_UI_URL,
    end: 'You stay signed in for an hour, or until you open this page again.',
  });
};

export const showSignInAsset = page.showAsset;
