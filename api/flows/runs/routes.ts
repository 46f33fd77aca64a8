import { z } from 'zod';
import { drawRun } from '../drawings';
import * as handlers from './runs';
import { type ApiRoute, transactionPath, withBody } from '../../http/route';
import * as answers from './answers';
import { valueBody } from '../../http/body/value-body';
import { startProblems } from './begin-run';

const runs = `${transactionPath}/flows`;
const run = `${runs}/runs/{runId}`;

/** Running the flows of a tenant, which SPEC does not have. */
export const runRoutes: readonly ApiRoute[] = [
  {
    method: 'post',
    path: `${runs}/{name}`,
    scope: 'confirmation:send',
    summary: 'Begin a run of a flow; what it waits for is in `awaited`',
    answers: { 201: answers.flowRun },
    problems: startProblems,
    sends: ['Location'],
    handler: handlers.startFlow,
  },
  {
    method: 'get',
    path: runs,
    scope: 'transaction:read',
    summary: 'All runs of the transaction, the newest first',
    answers: { 200: z.array(answers.flowRun) },
    sends: ['X-Countersign-Source'],
    handler: handlers.listRuns,
  },
  {
    method: 'get',
    path: run,
    scope: 'transaction:read',
    summary: 'A run: its state, the path it took, what it waits for, its outcome',
    answers: { 200: answers.flowRun },
    problems: ['run_not_found'],
    sends: ['X-Countersign-Source'],
    handler: handlers.readRun,
  },
  {
    method: 'get',
    path: `${run}/diagram.svg`,
    scope: 'transaction:read',
    summary: 'The flow of a run drawn as SVG, with the path that the run took',
    answers: { 200: 'image/svg+xml' },
    problems: ['run_not_found', 'flow_version_not_found'],
    handler: drawRun,
  },
  withBody({
    method: 'post',
    path: `${run}/answer`,
    scope: 'confirmation:validate',
    summary: 'Try a value on the code that the run waits for; `status` tells the outcome',
    body: () => valueBody,
    answers: { 200: answers.flowAnswered },
    problems: ['idempotency_conflict', 'run_not_found', 'run_over', 'nothing_to_answer'],
    sends: ['X-Attempts-Remaining'],
    handler: handlers.answerRun,
  }),
  {
    method: 'post',
    path: `${run}/resend`,
    scope: 'confirmation:send',
    summary: 'Send the message of the step that waits once more',
    answers: { 200: answers.flowRun },
    problems: [
      'idempotency_conflict',
      'run_not_found',
      'run_over',
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
      'email_daily_limit',
    ],
    handler: handlers.resendRun,
  },
  {
    method: 'post',
    path: `${run}/cancel`,
    scope: 'confirmation:send',
    summary: 'End the run where it is; what it asked for does not count any more',
    answers: { 200: answers.flowRun },
    problems: ['idempotency_conflict', 'run_not_found', 'run_over'],
    handler: handlers.cancelRun,
  },
];
