import { z } from 'zod';
import { scopes } from '../http/auth/access-tokens';
import { named } from '../http/openapi/schema-of';
import { Problem } from '../http/problem';
import type { PublicRoute, RawHandler } from '../http/route';

/** Caches may keep the answer for 5 minutes. A new signing key is published an hour before it signs, so caches always have it in time. */
const cacheControl = 'public, max-age=300';

/** A JSON Web Key Set (RFC 7517). */
export const keySet = named(
  'KeySet',
  z.strictObject({
    keys: z.array(
      z.strictObject({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        kid: z.string(),
        use: z.literal('sig'),
        alg: z.literal('EdDSA'),
      }),
    ),
  }),
  {
    keys: [
      {
        ...{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
        ...{ kid: 'nZf0mY3qXw5bJt1c', use: 'sig', alg: 'EdDSA' },
      },
    ],
  },
);

/** GET /.well-known/jwks.json: the public keys that verify access tokens. */
export const serveKeySet: RawHandler<'signingKeys'> = ({ signingKeys }, _request, response) => {
  if (!signingKeys.keys) throw new Problem('service_unavailable');
  const keys = Array.from(signingKeys.keys.values(), ({ kid, publicJwk }) => ({
    ...publicJwk,
    ...{ kid, use: 'sig', alg: 'EdDSA' },
  }));
  response.set('Cache-Control', cacheControl).json({ keys });
};

export const metadata = named(
  'ServerMetadata',
  z.strictObject({
    issuer: z.url(),
    token_endpoint: z.url(),
    jwks_uri: z.url(),
    service_documentation: z.url(),
    scopes_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.enum(['client_secret_basic', 'client_secret_post'])),
  }),
  metadataOf('https://verify.example.com'),
);

function metadataOf(publicUrl: string) {
  return {
    issuer: publicUrl,
    token_endpoint: `${publicUrl}/oauth2/token`,
    jwks_uri: `${publicUrl}/.well-known/jwks.json`,
    service_documentation: `${publicUrl}/docs`,
    scopes_supported: scopes,
    // RFC 8414 requires this field. The list is empty, because there is no authorization endpoint.
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic' as const, 'client_secret_post' as const],
  };
}

/** GET /.well-known/oauth-authorization-server: what an OAuth client must know about the token endpoint (RFC 8414). */
export const serveMetadata: RawHandler<'config'> = ({ config }, _request, response) => {
  response.set('Cache-Control', cacheControl).json(metadataOf(config.PUBLIC_URL));
};

/** The public keys that verify access tokens, and the abilities of the token endpoint. */
export const metadataRoutes: readonly PublicRoute[] = [
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
    summary: 'Get the metadata of the token endpoint (RFC 8414)',
    responses: { 200: metadata },
    serve: serveMetadata,
  },
];
