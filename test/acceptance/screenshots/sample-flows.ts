import { openStackKeys } from '../../support/stack-keys';
import type { FlowDefinition } from '../../../domain/flows/definition';
import type { FlowRun } from '../../../domain/flows/run';
import { companySignerFlow } from '../../../flows/examples/company-signer.flow';
import { phoneOnlyFlow } from '../../../flows/examples/phone-only.flow';
import { stepUpFlow } from '../../../flows/examples/step-up.flow';
import { whatsappFirstFlow } from '../../../flows/examples/whatsapp-first.flow';
import { createLogger } from '../../../platform/logger';
import { openPool } from '../../../platform/postgres/postgres';
import { buildRun, type Visit } from '../../api/flows/page/build-run';
import { buildState } from '../../support/build';
import { createWithState } from '../../support/new-record';
import type { TestStack } from '../support/test-stack';
import { screenshotTime } from './stabilize-responses';

/** The transaction in the screenshot of a flow run. */
export const screenshotTransactionId = '0197a3c4-5b1e-7c2a-9d4f-3e8b6a1f0c52';

async function putFlow({ api }: TestStack, { version: _version, name, ...definition }: FlowDefinition): Promise<void> {
  const path = `/v1/flows/${name}`;
  const { status, body, text } = await api.request('PUT', path, { body: definition });
  if (status !== 201) throw new Error(`PUT ${path} returned ${status}: ${text}`);
  await api.post(`${path}/activate`, { body: { version: (body as { version: number }).version } });
}

/** `seconds`: the duration of the visit. */
const questionVisit = (seconds: number, exit: string): Visit => ['question', seconds, exit];
const codeVisit = (seconds: number, exit: string): Visit => ['sms-code', seconds, exit];

/** Paths through the flow whatsapp-first. `count`: the number of flow runs. A flow run without an outcome has not ended. */
const paths: readonly [count: number, visits: readonly Visit[], outcome?: string][] = [
  [1_204, [questionVisit(21, 'Yes'), ['confirmed']], 'Confirmed'],
  [38, [questionVisit(34, 'No'), ['denied']], 'Denied'],
  [261, [questionVisit(180, 'Expired'), codeVisit(48, 'Valid'), ['confirmed']], 'Confirmed'],
  [17, [questionVisit(180, 'Expired'), codeVisit(90, 'Blocked'), ['blocked']], 'Blocked'],
  [
    64,
    [questionVisit(180, 'Expired'), codeVisit(300, 'Expired'), ['email-code', 410, 'Valid'], ['confirmed-by-email']],
    'ConfirmedByEmail',
  ],
  [
    29,
    [questionVisit(180, 'Expired'), codeVisit(300, 'Expired'), ['email-code', 1_800, 'Expired'], ['expired']],
    'Expired',
  ],
  [
    3,
    [questionVisit(4, 'Failed'), codeVisit(5, 'Failed'), ['email-code', 6, 'Failed'], ['undeliverable']],
    'Undeliverable',
  ],
  [11, [['question']]],
  [6, [questionVisit(180, 'Expired'), ['sms-code']]],
  [9, [questionVisit(180, 'Expired'), codeVisit(300, 'Expired'), ['email-code']]],
];

const flowAndVersion = ['whatsapp-first', 3] as const;

/** Flow runs that started a day ago. */
function buildCountedRuns(): FlowRun[] {
  const startedAt = new Date(Date.now() - 86_400_000).toISOString();
  return paths.flatMap(([count, visits, outcome]) => {
    const end = outcome === undefined ? undefined : { status: 'Completed' as const, outcome };
    return Array.from({ length: count }, () => buildRun(flowAndVersion, startedAt, visits, end));
  });
}

function buildScreenshotRun(): FlowRun {
  const startedAt = new Date(screenshotTime.getTime() - 3_600_000).toISOString();
  const visits: Visit[] = [
    ['question', 4, 'Failed', 'ProviderRefused 63016'],
    codeVisit(300, 'Expired'),
    ['email-code', 194, 'Valid'],
    ['confirmed-by-email'],
  ];
  const run = buildRun(flowAndVersion, startedAt, visits, { status: 'Completed', outcome: 'ConfirmedByEmail' });
  // Fixed, because the page shows the id.
  return { ...run, id: '0b6c1f6e-7d0a-4a35-9a52-6f1f5d2c8e41' };
}

/** Saves sample flows, and flow runs of whatsapp-first. */
export async function addFlows(testStack: TestStack): Promise<void> {
  for (const flow of [companySignerFlow, phoneOnlyFlow, stepUpFlow]) await putFlow(testStack, flow);
  for (const title of ['WhatsApp, then SMS', 'WhatsApp, then SMS or e-mail', whatsappFirstFlow.title ?? ''])
    await putFlow(testStack, { ...whatsappFirstFlow, title });
  const pool = openPool(testStack.stack.addresses.postgres, createLogger('screenshots', 'error'), 1);
  const keys = openStackKeys(testStack.stack.dataDir, pool);
  const counted = { ...buildState(), runs: buildCountedRuns() };
  const shown = { ...buildState(), id: screenshotTransactionId, runs: [buildScreenshotRun()] };
  for (const state of [counted, shown]) await createWithState(pool, keys, state);
  await pool.end();
}
