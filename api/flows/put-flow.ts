import { type ApiRoute, type Handler, type Parameter, withBody } from '../http/route';
import { flowBody, type FlowBody, flowExample } from './flow-body';
import { flowFieldsMax, flowInvalidProblem } from './read-put-body';
import { changeResponse, flowPath, requestedFlowName, version, versionExample } from './flows';
import { orBusy, textLimitsOf } from './compute/flow-compute';
import type { Request } from 'express';
import { Problem } from '../http/problem';
import type { ExpectedNewest } from './catalog/flow-store';
import { z } from 'zod';
import { named } from '../http/openapi/schema-of';

export const newFlowVersion = named('NewFlowVersion', z.strictObject({ name: z.string(), ...version }), {
  name: 'sms-first',
  ...versionExample,
});

/** An ETag with a digest: SHA-256 in hexadecimal, in double quotes. */
const digestTag = /^"([0-9a-f]{64})"$/;

/** The conditional headers of PUT /v1/flows/{name}. */
export const expectedNewestParameters: readonly Parameter[] = [
  {
    name: 'If-Match',
    in: 'header',
    description:
      'The `digest` of the newest version that you have read, in double quotes. If the newest version now has another digest, nothing is saved',
    schema: { type: 'string', pattern: digestTag.source },
  },
  {
    name: 'If-None-Match',
    in: 'header',
    description: 'Send `*`. If the flow already has a version, nothing is saved',
    schema: { const: '*' },
  },
];

/** PUT /v1/flows/{name}: adds a version. If the newest version has the same definition, returns the newest version instead. */
export const putFlow: Handler<'brands' | 'flowCompute' | 'flowStore' | 'sendingLimits', FlowBody> = async (call) => {
  const { dependencies, tenant, clientId, body, idempotencyKey } = call;
  const name = requestedFlowName(call);
  const input = { name, body, ...(await textLimitsOf(dependencies, tenant)) };
  const result = await orBusy(dependencies.flowCompute.run(tenant, 'readBody', input));
  if ('issues' in result) throw flowInvalidProblem(result.issues);
  const { version: _, ...definition } = result.flow;
  const { created, ...addedVersion } = await dependencies.flowStore.put(tenant, definition, clientId, {
    key: idempotencyKey,
    expected: readExpectedNewest(call.request),
  });
  const response = changeResponse(created ? 201 : 200, name, addedVersion);
  return {
    ...response,
    headers: { ...response.headers, Location: `/v1/flows/${name}/versions/${addedVersion.version}` },
  };
};

/** Reads from the conditional headers what the newest version must be. Undefined without these headers. Throws validation_failed. */
export function readExpectedNewest(request: Pick<Request, 'get'>): ExpectedNewest | undefined {
  const [match, noneMatch] = [request.get('if-match'), request.get('if-none-match')];
  if (match !== undefined && noneMatch !== undefined)
    throw new Problem('validation_failed', { errors: { 'If-Match': ['must not be combined with If-None-Match'] } });
  if (noneMatch !== undefined && noneMatch !== '*')
    throw new Problem('validation_failed', { errors: { 'If-None-Match': ['must be *'] } });
  if (noneMatch !== undefined) return 'none';
  if (match === undefined) return undefined;
  const [, digest] = digestTag.exec(match) ?? [];
  if (digest === undefined)
    throw new Problem('validation_failed', {
      errors: { 'If-Match': ['must be the digest of a version in double quotes'] },
    });
  return { digest };
}

/** Adding a version of a flow; not in SPEC. */
export const putFlowRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'putFlow',
    method: 'put',
    path: flowPath,
    scope: 'flows:write',
    summary: 'Add a version, which never changes. If the newest version has the same definition, return that version',
    body: () => flowBody,
    example: flowExample,
    bodyLimits: { fields: flowFieldsMax },
    responses: { 201: newFlowVersion, 200: newFlowVersion },
    provides: { name: '$request.path.name', version: '$response.body#/version' },
    problems: [
      'idempotency_conflict',
      'flow_reserved',
      'flow_changed',
      'flow_invalid',
      'flow_limit_reached',
      'flow_version_limit_reached',
      'flows_busy',
    ],
    parameters: expectedNewestParameters,
    responseHeaders: ['Location', 'Idempotency-Replayed'],
    handler: putFlow,
  }),
];
