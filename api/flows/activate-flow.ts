import { type ApiRoute, type Handler, withBody } from '../http/route';
import { at, changeResponse, flowPath, positiveInt, requestedFlowName, requestedVersion, versionPath } from './flows';
import { z } from 'zod';
import { named, utcTime } from '../http/openapi/schema-of';
import { version } from './flow-body';

export const flowActivation = named(
  'FlowActivation',
  z.strictObject({
    name: z.string(),
    version: positiveInt,
    activatedAt: utcTime,
    activatedBy: z.string(),
    previous: positiveInt.optional().describe('The version that was active before'),
  }),
  { name: 'sms-first', version: 2, activatedAt: at, activatedBy: 'acme', previous: 1 },
);

/** POST /v1/flows/{name}/activate: activates a version. New flow runs use it. */
export const activateFlow: Handler<'flowStore', ActivationBody> = async (call) => {
  const { dependencies, tenant, clientId, body, idempotencyKey } = call;
  const name = requestedFlowName(call);
  const options = { key: idempotencyKey, expected: body.active };
  return changeResponse(
    200,
    name,
    await dependencies.flowStore.activate(tenant, name, body.version, clientId, options),
  );
};

/** POST /v1/flows/{name}/rollback: activates the version that was active before. */
export const rollBackFlow: Handler<'flowStore', RollbackBody> = async (call) => {
  const { dependencies, tenant, clientId, body, idempotencyKey } = call;
  const name = requestedFlowName(call);
  const options = { key: idempotencyKey, expected: body.version };
  return changeResponse(200, name, await dependencies.flowStore.rollback(tenant, name, clientId, options));
};

export const flowVersionDeletion = named(
  'FlowVersionDeletion',
  z.strictObject({
    name: z.string(),
    version: positiveInt,
    deletedAt: utcTime,
    deletedBy: z.string(),
  }),
  { name: 'sms-first', version: 1, deletedAt: at, deletedBy: 'acme' },
);

/** DELETE /v1/flows/{name}/versions/{version}: deletes a version. Its flow runs continue. */
export const deleteFlowVersion: Handler<'flowStore'> = async (call) => {
  const { dependencies, tenant, clientId, idempotencyKey } = call;
  const [name, version] = [requestedFlowName(call), requestedVersion(call)];
  return changeResponse(
    200,
    name,
    await dependencies.flowStore.deleteVersion(tenant, name, version, clientId, idempotencyKey),
  );
};

/** The body of POST /v1/flows/{name}/activate. */
export const activationBody = named(
  'FlowActivationRequest',
  z.strictObject(
    {
      version,
      active: version
        .nullable()
        .optional()
        .describe(
          'The value of `active` when you read the flow, or null if no version was active. If the value is different now, nothing changes',
        ),
    },
    'must be an object',
  ),
);

export type ActivationBody = z.output<typeof activationBody>;

/** The body of POST /v1/flows/{name}/rollback. */
export const rollbackBody = named(
  'FlowRollbackRequest',
  z.strictObject(
    {
      version: version
        .optional()
        .describe(
          'The value of `rollbackTo` when you read the flow. If the rollback would activate another version, nothing changes',
        ),
    },
    'must be an object',
  ),
);

export type RollbackBody = z.output<typeof rollbackBody>;

/** Which version new runs use; not in SPEC. */
export const activationRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'activateFlow',
    method: 'post',
    path: `${flowPath}/activate`,
    scope: 'flows:write',
    summary: 'Activate a version for new runs',
    body: () => activationBody,
    example: { version: 1 },
    responses: { 200: flowActivation },
    problems: [
      'idempotency_conflict',
      'flow_not_found',
      'flow_version_not_found',
      'flow_activation_changed',
      'flow_reserved',
    ],
    responseHeaders: ['Idempotency-Replayed'],
    handler: activateFlow,
  }),
  withBody({
    operationId: 'rollBackFlow',
    method: 'post',
    path: `${flowPath}/rollback`,
    scope: 'flows:write',
    summary: 'Activate the version that was active before, for new runs',
    body: () => rollbackBody,
    example: {},
    responses: { 200: flowActivation },
    problems: [
      'idempotency_conflict',
      'flow_not_found',
      'flow_no_earlier_version',
      'flow_activation_changed',
      'flow_reserved',
    ],
    responseHeaders: ['Idempotency-Replayed'],
    handler: rollBackFlow,
  }),
  {
    operationId: 'deleteFlowVersion',
    method: 'delete',
    path: versionPath,
    scope: 'flows:write',
    summary: 'Delete a version that is not active, or the only version of a flow; its runs continue',
    responses: { 200: flowVersionDeletion },
    problems: [
      'idempotency_conflict',
      'flow_not_found',
      'flow_version_not_found',
      'flow_version_active',
      'flow_reserved',
    ],
    responseHeaders: ['Idempotency-Replayed'],
    handler: deleteFlowVersion,
  },
];
