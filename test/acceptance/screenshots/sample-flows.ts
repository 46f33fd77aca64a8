import { saveState } from '../../../store/record/transactions.sql';
import type { FlowDefinition } from '../../../domain/flows/definition';
import type { FlowRun } from '../../../domain/flows/run';
import { companySignerFlow } from '../../../flows/examples/company-signer.flow';
import { phoneOnlyFlow } from '../../../flows/examples/phone-only.flow';
import { stepUpFlow } from '../../../flows/examples/step-up.flow';
import { whatsappFirstFlow } from '../../../flows/examples/whatsapp-first.flow';
import { createLogger } from '../../../platform/logger';
import { openPool } from '../../../platform/postgres';
import { buildRun, type Visit } from '../../api/flows/page/build-run';
import { buildState } from '../../support/build';
import type { TestStack } from '../support/test-stack';
import { pictureNow } from './stabilize-responses';

/** The transaction whose run the screenshot shows. */
export const shownTransaction = '0197a3c4-5b1e-7c2a-9d4f-3e8b6a1f0c52';

async function put({ api }: TestStack, { version: _version, name, ...definition }: FlowDefinition): Promise<void> {
  const path = `/v1/flows/${name}`;
  const { status, body, text } = await api.request('PUT', path, { body: definition });
  if (status !== 201) throw new Error(`PUT ${path} returned ${status}: ${text}`);
  await api.post(`${path}/activate`, { body: { version: (body as { version: number }).version } });
}

const question = (seconds: number, exit: string): Visit => ['question', seconds, exit];
const code = (seconds: number, exit: string): Visit => ['sms-code', seconds, exit];

/** Paths through whatsapp-first with the number of their runs. A path without an outcome is still running. */
const paths: readonly [count: number, stays: readonly Visit[], outcome?: string][] = [
  [1_204, [question(21, 'Yes'), ['confirmed']], 'Confirmed'],
  [38, [question(34, 'No'), ['denied']], 'Denied'],
  [261, [question(180, 'Expired'), code(48, 'Valid'), ['confirmed']], 'Confirmed'],
  [17, [question(180, 'Expired'), code(90, 'Blocked'), ['blocked']], 'Blocked'],
  [
    64,
    [question(180, 'Expired'), code(300, 'Expired'), ['email-code', 410, 'Valid'], ['confirmed-by-email']],
    'ConfirmedByEmail',
  ],
  [29, [question(180, 'Expired'), code(300, 'Expired'), ['email-code', 1_800, 'Expired'], ['expired']], 'Expired'],
  [3, [question(4, 'Failed'), code(5, 'Failed'), ['email-code', 6, 'Failed'], ['undeliverable']], 'Undeliverable'],
  [11, [['question']]],
  [6, [question(180, 'Expired'), ['sms-code']]],
  [9, [question(180, 'Expired'), code(300, 'Expired'), ['email-code']]],
];

const version = ['whatsapp-first', 3] as const;

function countedRuns(): FlowRun[] {
  const startedAt = new Date(Date.now() - 86_400_000).toISOString();
  return paths.flatMap(([count, visits, outcome]) => {
    const end = outcome === undefined ? undefined : { status: 'Completed' as const, outcome };
    return Array.from({ length: count }, () => buildRun(version, startedAt, visits, end));
  });
}

/** The run in the screenshot: a person without WhatsApp whose phone was unreachable. */
function shownRun(): FlowRun {
  const startedAt = new Date(pictureNow.getTime() - 3_600_000).toISOString();
  const visits: Visit[] = [
    ['question', 4, 'Failed', 'ProviderRefused 63016'],
    code(300, 'Expired'),
    ['email-code', 194, 'Valid'],
    ['confirmed-by-email'],
  ];
  const run = buildRun(version, startedAt, visits, { status: 'Completed', outcome: 'ConfirmedByEmail' });
  // The page shows this id, so it is the same in every run.
  return { ...run, id: '0b6c1f6e-7d0a-4a35-9a52-6f1f5d2c8e41' };
}

/** Flows of a team, and runs of one of them as the worker would save them. */
export async function addFlows(testStack: TestStack): Promise<void> {
  for (const flow of [companySignerFlow, phoneOnlyFlow, stepUpFlow]) await put(testStack, flow);
  for (const title of ['WhatsApp, then SMS', 'WhatsApp, then SMS or e-mail', whatsappFirstFlow.title ?? ''])
    await put(testStack, { ...whatsappFirstFlow, title });
  const pool = openPool(testStack.stack.addresses.postgres, createLogger('screenshots', 'error'), 1);
  await saveState(pool, { ...buildState(), runs: countedRuns() });
  await saveState(pool, { ...buildState(), id: shownTransaction, runs: [shownRun()] });
  await pool.end();
}
