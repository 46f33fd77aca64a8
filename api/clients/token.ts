import express, { type Request, type Response } from 'express';
import { z } from 'zod';
import { expandScopes, narrowScopes, type Scope } from '../http/auth/access-tokens';
import { isForm, readJson, runBodyParser } from '../http/body/read-json';
import { named, sensitive } from '../http/openapi/schema-of';
import { Problem } from '../http/problem';
import type { PublicRoute, RawHandler } from '../http/route';
import type { Pool } from '../../platform/postgres/postgres';
import { asService } from '../../platform/postgres/tenant-scope';
import { hashSecret } from './clients';
import { findBySecret, markSecretUsed } from './clients.sql';

/** Maximum number of fields of a form. Clients send fewer. */
const fieldsMax = 20;

const form = express.urlencoded({
  type: isForm,
  extended: false,
  limit: 8_192,
  parameterLimit: fieldsMax,
  inflate: false,
});

/**
 * The form of a token request (RFC 6749, 4.4.2), for the OpenAPI document. Other fields are ignored, but no field may appear twice.
 */
export const tokenForm = named(
  'TokenForm',
  z
    .object({
      grant_type: z.literal('client_credentials'),
      client_id: z.string().optional(),
      client_secret: z.string().optional(),
      scope: z.string().optional(),
    })
    .catchall(z.string())
    .meta({ maxProperties: fieldsMax }),
);

export const tokenResponse = named(
  'Token',
  z.strictObject({
    access_token: sensitive(z.string(), 'client secret'),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    scope: z.string(),
  }),
  {
    access_token: 'header.claims.signature',
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'transaction:read transaction:write',
  },
);

const oauthErrors = ['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope'] as const;

export const oauthError = named(
  'OauthError',
  z.strictObject({ error: z.enum(oauthErrors), error_description: z.string() }),
  { error: 'invalid_client', error_description: 'The client is unknown or its secret is wrong.' },
);

/** Errors of the token endpoint have the form of RFC 6749, 5.2. */
function sendError(response: Response, status: number, error: (typeof oauthErrors)[number], description: string): void {
  if (status === 401) response.set('WWW-Authenticate', 'Basic realm="countersign"');
  response.status(status).json({ error, error_description: description });
}

/** The client id and secret in the Authorization header (RFC 6749, 2.3.1). Undefined without a valid header. */
function readBasicCredentials(request: Request): [id: string, secret: string] | undefined {
  const [, encoded] = /^Basic +([\w+/=-]+)$/i.exec(request.get('authorization') ?? '') ?? [];
  if (!encoded) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString();
  const colon = decoded.indexOf(':');
  if (colon < 0) return undefined;
  try {
    return [decodeURIComponent(decoded.slice(0, colon)), decodeURIComponent(decoded.slice(colon + 1))];
  } catch {
    return undefined;
  }
}

/** The names of the dependencies of a request for an access token. */
type TokenNeeds = 'accessTokens' | 'pool' | 'rateLimits';

/** POST /oauth2/token: the client credentials grant. */
export const issueToken: RawHandler<TokenNeeds> = async (dependencies, request, response) => {
  // RFC 6749, 5.1 requires this header, in addition to Cache-Control.
  response.set('Pragma', 'no-cache');
  if (!isForm(request))
    return sendError(
      response,
      415,
      'invalid_request',
      'The media type is not supported. Send application/x-www-form-urlencoded.',
    );
  const body = await runBodyParser(form, request, response).catch(() => undefined);
  if (!body) return sendError(response, 400, 'invalid_request', 'The form is invalid or too large.');
  const [doubledName] = Object.entries(body as Record<string, unknown>).find(([, value]) => Array.isArray(value)) ?? [];
  if (doubledName !== undefined) {
    const name = Object.keys(tokenForm.shape).find((field) => field === doubledName) ?? 'A field';
    return sendError(response, 400, 'invalid_request', `${name} is sent twice. Send each field once.`);
  }
  const readField = (name: string) => {
    const value = (body as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : undefined;
  };
  const grantType = readField('grant_type');
  if (!grantType) return sendError(response, 400, 'invalid_request', 'grant_type is missing.');
  if (grantType !== 'client_credentials')
    return sendError(response, 400, 'unsupported_grant_type', 'grant_type must be client_credentials.');
  const [id, secret] = readBasicCredentials(request) ?? [readField('client_id'), readField('client_secret')];
  const client = id && secret ? await authenticateClient(dependencies.pool, id, secret) : undefined;
  if (!client) return sendError(response, 401, 'invalid_client', 'The client is unknown or its secret is wrong.');
  dependencies.rateLimits.countClientLogin(client.clientId, response);
  const scopes = narrowScopes(client.scopes, readField('scope'));
  if (!scopes)
    return sendError(
      response,
      400,
      'invalid_scope',
      `The client does not have this scope. Its scopes: ${client.scopes.join(' ')}.`,
    );
  const token = await dependencies.accessTokens.issue({ ...client, scopes });
  response.json({
    access_token: token,
    token_type: 'Bearer',
    expires_in: dependencies.accessTokens.lifetimeSeconds,
    scope: scopes.join(' '),
  });
};

/** The body of POST /v1/authentication. The names of its fields are those of SPEC. */
export const passwordBody = named(
  'PasswordRequest',
  z.strictObject({
    Username: z.string('must be a string').min(1, 'must not be empty').max(100, 'must have at most 100 characters'),
    Password: z.string('must be a string').min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
  }),
);

export const passwordResponse = named(
  'PasswordToken',
  z.strictObject({
    token: sensitive(z.string(), 'client secret'),
    expiresInSeconds: z.int(),
  }),
  { token: 'header.claims.signature', expiresInSeconds: 3600 },
);

/** POST /v1/authentication: issues an access token, like /oauth2/token. `Username` is the client id, and `Password` is the secret. */
export const authenticateByPassword: RawHandler<TokenNeeds> = async (dependencies, request, response) => {
  const { Username, Password } = await readJson(passwordBody, request, response);
  const client: Client | undefined = await authenticateClient(dependencies.pool, Username, Password);
  if (!client) throw new Problem('credentials_invalid');
  dependencies.rateLimits.countClientLogin(client.clientId, response);
  const token = await dependencies.accessTokens.issue(client);
  response.json({ token, expiresInSeconds: dependencies.accessTokens.lifetimeSeconds });
};

/** A client that has signed in. */
export interface Client {
  clientId: string;
  tenant: string;
  scopes: Scope[];
  /** Increases with each change of the client. Access tokens with an earlier version are not valid any more. */
  clientVersion: number;
  /** The secret that was used. When it is removed, the access tokens that were issued with it are not valid any more. */
  secretId: string;
}

/**
 * Finds the client with this id and this secret. Undefined if the id is unknown or revoked, or if the secret is wrong or removed. All
 * these cases take equally long, so the response time does not show whether an id exists. It also shows nothing about the secret: the
 * search uses the hash of the secret, and a secret has at least 128 bits.
 */
export async function authenticateClient(pool: Pool, clientId: string, secret: string): Promise<Client | undefined> {
  // The tenant is not known before this query, so the query must see the rows of all tenants.
  const found = await asService(() => findBySecret(pool, clientId, hashSecret(secret)));
  if (!found) return undefined;
  // Only operators need the time of the last use. A login must not fail because this time cannot be saved.
  await markSecretUsed(pool, found.secretId).catch(() => undefined);
  const { tenant, scopes, version, secretId } = found;
  return { clientId, tenant, scopes: expandScopes(scopes), clientVersion: version, secretId };
}

/** Access tokens of clients. */
export const tokenRoutes: readonly PublicRoute[] = [
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
];
