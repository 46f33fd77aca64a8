import { z } from 'zod';
import { countsParameter, daysParameter, drawVersion, readCounts } from './diagrams';
import { flowCounts, flowVersionRuns } from './version-run-responses';
import { listVersionRuns, runsParameters } from './version-runs';
import * as handlers from './flows';
import { deletedParameter, pageParameters } from '../http/page-query';
import { type ApiRoute, type UndocumentedRoute, undocumentedRoute, withBody } from '../http/route';
import { auditEntry } from '../http/response-fields';
import * as responses from './responses';
import { checkFlow } from './check-flow';
import { readTemplates } from './read-templates';
import { expectedNewestParameters } from './expected-newest';
import { activationBody, checkBody, flowBody, flowExample, rollbackBody } from './flow-body';
import { bodyBytesMax } from '../http/body/read-json';
import { openSession, showFlows } from './page/serve-flows';
import { simulateFlow } from './page/simulate-flow';
import { flowFieldsMax } from './read-put-body';

const flowPath = '/v1/flows/{name}';
const versionPath = `${flowPath}/versions/{version}`;

/** Maximum size of a request to check a flow. A JSON string can need six characters for one character of a text. */
const checkedBytesMax = 6 * bodyBytesMax;

/**
 * The routes of flows; not in SPEC. The paths /v1/flows/schema and /v1/flows/templates must come before /v1/flows/{name}, which also
 * matches them.
 */
export const flowRoutes: readonly ApiRoute[] = [
  {
    operationId: 'listFlows',
    method: 'get',
    path: '/v1/flows',
    scope: 'flows:read',
    summary: 'List all flows by name',
    responses: { 200: responses.flowList },
    provides: { name: '$response.body#/flows/0/name' },
    problems: ['validation_failed'],
    parameters: [...pageParameters, deletedParameter],
    isLongRead: true,
    handler: handlers.listFlows,
  },
  {
    operationId: 'getFlowSchema',
    method: 'get',
    path: '/v1/flows/schema',
    scope: 'flows:read',
    summary: 'Get the JSON Schema of a flow, for editors',
    responses: { 200: responses.flowJsonSchemaResponse },
    handler: handlers.readFlowSchema,
  },
  {
    operationId: 'listFlowTemplates',
    method: 'get',
    path: '/v1/flows/templates',
    scope: 'flows:read',
    summary: 'List the message templates that flows can use, with their texts',
    responses: { 200: responses.templateList },
    handler: readTemplates,
  },
  withBody({
    operationId: 'checkFlow',
    method: 'post',
    path: `${flowPath}/check`,
    scope: 'flows:read',
    summary:
      'Check a flow without saving it: its issues with their places in the text, its longest time and its diagram',
    body: () => checkBody,
    example: { text: JSON.stringify(flowExample) },
    bodyLimits: { bytes: checkedBytesMax },
    responses: { 200: responses.flowCheck },
    localized: true,
    problems: ['flows_busy'],
    ignoresKey: true,
    handler: checkFlow,
  }),
  withBody({
    operationId: 'putFlow',
    method: 'put',
    path: flowPath,
    scope: 'flows:write',
    summary: 'Add a version, which never changes. If the newest version has the same definition, return that version',
    body: () => flowBody,
    example: flowExample,
    bodyLimits: { fields: flowFieldsMax },
    responses: { 201: responses.newFlowVersion, 200: responses.newFlowVersion },
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
    handler: handlers.putFlow,
  }),
  {
    operationId: 'getFlow',
    method: 'get',
    path: flowPath,
    scope: 'flows:read',
    summary: 'Get a flow with its versions, newest first',
    responses: { 200: responses.flowDetails },
    provides: { version: '$response.body#/versions/0/version' },
    problems: ['validation_failed', 'flow_not_found'],
    parameters: [...pageParameters, deletedParameter],
    isLongRead: true,
    handler: handlers.readFlowVersions,
  },
  {
    operationId: 'getFlowVersion',
    method: 'get',
    path: versionPath,
    scope: 'flows:read',
    summary: 'Get a version with its definition',
    parameters: [deletedParameter],
    responses: { 200: responses.flowVersionDetails },
    problems: ['validation_failed', 'flow_version_not_found'],
    handler: handlers.readFlowVersion,
  },
  {
    operationId: 'getFlowVersionDiagram',
    method: 'get',
    path: `${versionPath}/diagram.svg`,
    scope: 'flows:read',
    summary: 'Get the diagram of a version as SVG',
    responses: { 200: responses.diagram },
    localized: true,
    problems: ['validation_failed', 'flow_version_not_found', 'flows_busy'],
    parameters: [countsParameter, daysParameter],
    handler: drawVersion,
  },
  {
    operationId: 'getFlowVersionCounts',
    method: 'get',
    path: `${versionPath}/counts`,
    scope: 'flows:read',
    summary: 'Count the recent runs of a version by step and by outcome, and the ended runs by day',
    responses: { 200: flowCounts },
    problems: ['validation_failed', 'flow_version_not_found'],
    parameters: [daysParameter],
    isLongRead: true,
    handler: readCounts,
  },
  {
    operationId: 'listFlowVersionRuns',
    method: 'get',
    path: `${versionPath}/runs`,
    scope: 'flows:read',
    summary: 'List the recent runs of a version, newest first: all, or those with a step, an outcome or a status',
    responses: { 200: flowVersionRuns },
    problems: ['validation_failed', 'flow_version_not_found'],
    parameters: runsParameters,
    isLongRead: true,
    handler: listVersionRuns,
  },
  withBody({
    operationId: 'activateFlow',
    method: 'post',
    path: `${flowPath}/activate`,
    scope: 'flows:write',
    summary: 'Activate a version for new runs',
    body: () => activationBody,
    example: { version: 1 },
    responses: { 200: responses.flowActivation },
    problems: [
      'idempotency_conflict',
      'flow_not_found',
      'flow_version_not_found',
      'flow_activation_changed',
      'flow_reserved',
    ],
    responseHeaders: ['Idempotency-Replayed'],
    handler: handlers.activateFlow,
  }),
  withBody({
    operationId: 'rollBackFlow',
    method: 'post',
    path: `${flowPath}/rollback`,
    scope: 'flows:write',
    summary: 'Activate the version that was active before, for new runs',
    body: () => rollbackBody,
    example: {},
    responses: { 200: responses.flowActivation },
    problems: [
      'idempotency_conflict',
      'flow_not_found',
      'flow_no_earlier_version',
      'flow_activation_changed',
      'flow_reserved',
    ],
    responseHeaders: ['Idempotency-Replayed'],
    handler: handlers.rollBackFlow,
  }),
  {
    operationId: 'deleteFlowVersion',
    method: 'delete',
    path: versionPath,
    scope: 'flows:write',
    summary: 'Delete a version that is not active, or the only version of a flow; its runs continue',
    responses: { 200: responses.flowVersionDeletion },
    problems: [
      'idempotency_conflict',
      'flow_not_found',
      'flow_version_not_found',
      'flow_version_active',
      'flow_reserved',
    ],
    responseHeaders: ['Idempotency-Replayed'],
    handler: handlers.deleteFlowVersion,
  },
  {
    operationId: 'listFlowAudit',
    method: 'get',
    path: `${flowPath}/audit`,
    scope: 'flows:read',
    summary: 'List the audit log of a flow, newest first',
    responses: { 200: z.array(auditEntry) },
    problems: ['flow_not_found'],
    handler: handlers.readFlowAudit,
  },
];

/** The page of the flows, and the two requests that only this page sends, on a local machine. */
export const flowPages: readonly UndocumentedRoute[] = [
  undocumentedRoute('get', '/flows/session', openSession),
  undocumentedRoute('post', '/flows/simulations', simulateFlow),
  undocumentedRoute('get', '/flows', showFlows),
];
