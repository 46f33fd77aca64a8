import { z } from 'zod';
import { countsParameter, daysParameter, drawVersion, readCounts } from './drawings';
import { listVersionRuns, runsParameters } from './version-runs';
import * as handlers from './flows';
import { deletedParameter, pageParameters } from '../http/page-query';
import { type ApiRoute, withBody } from '../http/route';
import { auditEntry } from '../http/answers';
import * as answers from './answers';
import { activationBody, flowBody } from './flow-body';
import { flowFieldsMax } from './read-put-body';

const flow = '/v1/flows/{name}';
const version = `${flow}/versions/{version}`;

/** Making, showing and choosing the flows of a tenant, which SPEC does not have. The schema's path comes before names. */
export const flowRoutes: readonly ApiRoute[] = [
  {
    method: 'get',
    path: '/v1/flows',
    scope: 'flows:read',
    summary: 'All flows, by name',
    answers: { 200: answers.flowList },
    problems: ['validation_failed', 'unknown_field'],
    parameters: [...pageParameters, deletedParameter],
    handler: handlers.listFlows,
  },
  {
    method: 'get',
    path: '/v1/flows/schema',
    scope: 'flows:read',
    summary: 'JSON Schema of a flow, for editors',
    answers: { 200: answers.flowSchema },
    handler: handlers.readFlowSchema,
  },
  withBody({
    method: 'put',
    path: flow,
    scope: 'flows:write',
    summary: 'Add an immutable version; returns the newest one if it is the same',
    body: () => flowBody,
    fieldsMax: flowFieldsMax,
    answers: { 201: answers.flowVersionAdded, 200: answers.flowVersionAdded },
    problems: ['idempotency_conflict', 'flow_reserved', 'flow_invalid'],
    responseHeaders: ['Location', 'Idempotency-Replayed'],
    handler: handlers.putFlow,
  }),
  {
    method: 'get',
    path: flow,
    scope: 'flows:read',
    summary: 'A flow with its versions, newest first',
    answers: { 200: answers.flowRead },
    problems: ['validation_failed', 'unknown_field', 'flow_not_found'],
    parameters: [...pageParameters, deletedParameter],
    handler: handlers.readFlowVersions,
  },
  {
    method: 'get',
    path: version,
    scope: 'flows:read',
    summary: 'One version with its definition',
    parameters: [deletedParameter],
    answers: { 200: answers.flowVersionRead },
    problems: ['validation_failed', 'unknown_field', 'flow_version_not_found'],
    handler: handlers.readFlowVersion,
  },
  {
    method: 'get',
    path: `${version}/diagram.svg`,
    scope: 'flows:read',
    summary: 'One version drawn as SVG',
    answers: { 200: 'image/svg+xml' },
    problems: ['validation_failed', 'unknown_field', 'flow_version_not_found'],
    parameters: [countsParameter, daysParameter],
    handler: drawVersion,
  },
  {
    method: 'get',
    path: `${version}/counts`,
    scope: 'flows:read',
    summary: 'Runs by step and outcome, of those that began in the last days, and what ended by day',
    answers: { 200: answers.flowCounts },
    problems: ['validation_failed', 'unknown_field', 'flow_version_not_found'],
    parameters: [daysParameter],
    handler: readCounts,
  },
  {
    method: 'get',
    path: `${version}/runs`,
    scope: 'flows:read',
    summary: 'Runs of the last days, the newest first: all, those of a step, of an outcome, or of a status',
    answers: { 200: answers.flowVersionRuns },
    problems: ['validation_failed', 'unknown_field', 'flow_version_not_found'],
    parameters: runsParameters,
    handler: listVersionRuns,
  },
  withBody({
    method: 'post',
    path: `${flow}/activate`,
    scope: 'flows:write',
    summary: 'Activate a version for new runs',
    body: () => activationBody,
    answers: { 200: answers.flowActivated },
    problems: ['idempotency_conflict', 'flow_not_found', 'flow_version_not_found', 'flow_reserved'],
    responseHeaders: ['Idempotency-Replayed'],
    handler: handlers.activateFlow,
  }),
  {
    method: 'post',
    path: `${flow}/rollback`,
    scope: 'flows:write',
    summary: 'Activate the previous version for new runs',
    answers: { 200: answers.flowActivated },
    problems: ['idempotency_conflict', 'flow_not_found', 'flow_no_earlier_version', 'flow_reserved'],
    responseHeaders: ['Idempotency-Replayed'],
    handler: handlers.rollBackFlow,
  },
  {
    method: 'delete',
    path: version,
    scope: 'flows:write',
    summary: 'Delete a version that is not active, or the last one; its runs continue',
    answers: { 200: answers.flowVersionDeleted },
    problems: [
      'idempotency_key_invalid',
      'idempotency_conflict',
      'flow_not_found',
      'flow_version_not_found',
      'flow_version_active',
      'flow_reserved',
    ],
    responseHeaders: ['Idempotency-Replayed'],
    handler: handlers.removeFlowVersion,
  },
  {
    method: 'get',
    path: `${flow}/audit`,
    scope: 'flows:read',
    summary: 'Who did what with the flow, newest first',
    answers: { 200: z.array(auditEntry) },
    problems: ['unknown_field', 'flow_not_found'],
    handler: handlers.readFlowAudit,
  },
];
