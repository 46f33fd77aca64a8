import { z } from 'zod';
import { type ApiRoute, type UndocumentedRoute, undocumentedRoute, withBody } from '../http/route';
import { exampleOf, named } from '../http/openapi/schema-of';
import { decodePayloads } from './decode';
import { showSignIn } from './serve-sign-in';
import { codecBodyLimits, payloadsBody, payloadsResponse } from './payloads';
import { decodePath, decodeScope, findOperator, openSession } from './session';

const session = named('CodecSession', z.strictObject({ expiresInSeconds: z.int() }), { expiresInSeconds: 3600 });

/** The codec server of the Temporal UI and the Temporal CLI; for operators only, not in SPEC. */
export const codecRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'decodePayloads',
    method: 'post',
    path: decodePath,
    scope: decodeScope,
    summary: 'Decrypt payloads of all tenants for the Temporal UI; only for operators',
    body: () => payloadsBody,
    example: exampleOf(payloadsResponse),
    bodyLimits: codecBodyLimits,
    responses: { 200: payloadsResponse },
    allowedOrigin: ({ TEMPORAL_UI_URL }) => TEMPORAL_UI_URL,
    findCaller: findOperator,
    limit: 'operator',
    ignoresQuery: true,
    handler: decodePayloads,
  }),
  {
    operationId: 'openCodecSession',
    method: 'post',
    path: '/v1/codec/session',
    scope: decodeScope,
    summary: 'Let the Temporal UI in this browser decrypt payloads for an hour; only for operators',
    responses: { 200: session },
    responseHeaders: ['Set-Cookie'],
    handler: openSession,
  },
];

/** The page on which operators sign in. */
export const codecPages: readonly UndocumentedRoute[] = [undocumentedRoute('get', '/codec/sign-in', showSignIn)];
