import type { OpenRoute } from '../http/route';
import {
  tokenForm,
  tokenAnswer,
  oauthError,
  issueToken,
  passwordBody,
  passwordAnswer,
  authenticateByPassword,
  readKeys,
} from './oauth';

/** Access tokens of clients: OAuth, user name and password, and the public keys. */
export const clientRoutes: readonly OpenRoute[] = [
  {
    method: 'post',
    path: '/oauth2/token',
    summary: 'Get an access token (RFC 6749, client credentials)',
    requestBody: { type: 'application/x-www-form-urlencoded', body: tokenForm },
    // RFC 6749 section 5.2 has its own form of refusal, and clients of it expect that form.
    answers: { 200: tokenAnswer, 400: oauthError, 401: oauthError, 415: oauthError },
    serve: issueToken,
  },
  {
    method: 'post',
    path: '/v1/authentication',
    summary: 'Get an access token by user name and password',
    requestBody: { type: 'application/json', body: passwordBody },
    answers: { 200: passwordAnswer },
    problems: ['unauthorized'],
    serve: authenticateByPassword,
  },
  {
    method: 'get',
    path: '/.well-known/jwks.json',
    summary: 'Public keys of the access tokens',
    answers: { 200: 'A JSON Web Key Set' },
    serve: readKeys,
  },
];
