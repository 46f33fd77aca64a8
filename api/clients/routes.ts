import type { PublicRoute } from '../http/route';
import {
  tokenForm,
  tokenResponse,
  oauthError,
  issueToken,
  passwordBody,
  passwordResponse,
  authenticateByPassword,
} from './oauth';
import { keySet, metadata, serveKeySet, serveMetadata } from './metadata';

/** Access tokens of clients, and the public keys to verify them. */
export const clientRoutes: readonly PublicRoute[] = [
  {
    operationId: 'createToken',
    method: 'post',
    path: '/oauth2/token',
    summary: 'Get an access token (RFC 6749, client credentials)',
    requestBody: {
      contentType: 'application/x-www-form-urlencoded',
      body: tokenForm,
      example: { grant_type: 'client_credentials', client_id: 'acme', client_secret: 'the secret of acme' },
    },
    // Errors have the form of RFC 6749 section 5.2, which OAuth clients expect.
    responses: { 200: tokenResponse, 400: oauthError, 401: oauthError, 415: oauthError },
    counted: 'login',
    serve: issueToken,
  },
  {
    operationId: 'authenticateClient',
    method: 'post',
    path: '/v1/authentication',
    summary: 'Get an access token with a user name and password',
    requestBody: {
      contentType: 'application/json',
      body: passwordBody,
      example: { Username: 'acme', Password: 'the secret of acme' },
    },
    responses: { 200: passwordResponse },
    problems: ['credentials_invalid'],
    counted: 'login',
    serve: authenticateByPassword,
  },
  {
    operationId: 'getKeys',
    method: 'get',
    path: '/.well-known/jwks.json',
    summary: 'Get the public keys that verify access tokens (RFC 7517)',
    responses: { 200: keySet },
    problems: ['service_unavailable'],
    serve: serveKeySet,
  },
  {
    operationId: 'getMetadata',
    method: 'get',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Get the addresses and abilities of the token endpoint (RFC 8414)',
    responses: { 200: metadata },
    serve: serveMetadata,
  },
];
