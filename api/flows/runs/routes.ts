import { z } from 'zod';
import { drawRun } from '../diagrams';
import * as handlers from './runs';
import { type ApiRoute, transactionPath, withBody } from '../../http/route';
import { diagram } from '../responses';
import * as responses from './responses';
import { valueBody } from '../../http/body/fields';
import { startProblems } from './start-run';

const runsPath = `${transactionPath}/flows`;
const runPath = `${runsPath}/runs/{runId}`;

/** Flow runs; not in SPEC. */
export const runRoutes: readonly ApiRoute[] = [
  {
    operationId: 'startFlowRun',
    method: 'post',
    path: `${runsPath}/{name}`,
    scope: 'confirmation:send',
    summary: 'Start a flow run; `awaited` shows what it waits for',
    responses: { 201: responses.flowRun },
    provides: { runId: '$response.body#/runId' },
    problems: startProblems,
    responseHeaders: ['Location'],
    handler: handlers.startRun,
  },
  {
    operationId: 'listFlowRuns',
    method: 'get',
    path: runsPath,
    scope: 'transaction:read',
    summary: 'List the flow runs of the transaction, newest first',
    responses: { 200: z.array(responses.flowRun) },
    provides: { runId: '$response.body#/0/runId' },
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: handlers.listRuns,
  },
  {
    operationId: 'getFlowRun',
    method: 'get',
    path: runPath,
    scope: 'transaction:read',
    summary: 'Get a flow run: status, path, what it waits for, outcome',
    responses: { 200: responses.flowRun },
    problems: ['run_not_found'],
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: handlers.readRun,
  },
  {
    operationId: 'getFlowRunDiagram',
    method: 'get',
    path: `${runPath}/diagram.svg`,
    scope: 'transaction:read',
    summary: 'Get the diagram of a flow run as SVG, with its path',
    responses: { 200: diagram },
    localized: true,
    problems: ['run_not_found', 'flow_version_not_found', 'flows_busy'],
    handler: drawRun,
  },
  withBody({
    operationId: 'answerFlowRun',
    method: 'post',
    path: `${runPath}/answer`,
    scope: 'confirmation:validate',
    summary: 'Validate the code that the run waits for; `status` is the result',
    ...valueBody,
    example: { value: '123456' },
    responses: { 200: responses.flowAnswer },
    problems: ['idempotency_conflict', 'run_not_found', 'run_ended', 'nothing_to_answer'],
    responseHeaders: ['X-Attempts-Remaining'],
    handler: handlers.answerRun,
  }),
  {
    operationId: 'resendFlowRun',
    method: 'post',
    path: `${runPath}/resend`,
    scope: 'confirmation:send',
    summary: 'Resend the message of the current step',
    responses: { 200: responses.flowRun },
    problems: [
      'idempotency_conflict',
      'run_not_found',
      'run_ended',
      'transaction_denied',
      'nothing_to_answer',
      'country_not_allowed',
      'destination_refused',
      'destination_opted_out',
      'provider_refused',
      'resend_too_soon',
      'send_limit_reached',
      'transaction_send_limit_reached',
      'attempt_limit_reached',
      'phone_daily_limit',
      'tenant_daily_limit',
      'prefix_blocked',
      'phone_not_allowed',
      'email_daily_limit',
    ],
    handler: handlers.resendRun,
  },
  {
    operationId: 'cancelFlowRun',
    method: 'post',
    path: `${runPath}/cancel`,
    scope: 'confirmation:send',
    summary: 'Cancel a flow run, and close its open confirmation or link',
    responses: { 200: responses.flowRun },
    problems: ['idempotency_conflict', 'run_not_found', 'run_ended'],
    handler: handlers.cancelRun,
  },
];
