import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shareStack } from './support/share-stack';
import { apiWithShortFlows } from './support/short-flows';
import { describeEngineFaults } from './suites/engine-faults.suite';
import { describeRateLimit } from './suites/rate-limit.suite';
import { describeRestart } from './suites/restart.suite';
import { describeTemporalAway } from './suites/temporal-away.suite';
import { describeWorkerAway } from './suites/worker-away.suite';

/** Long enough to ask, read the message and stop everything on a busy machine; short enough to wait for. */
const shortLifeMs = 12_000;

const folder = mkdtempSync(join(tmpdir(), 'countersign-short-flows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// A stack of its own: these suites stop parts of it, under which no other suite could run.
const running = shareStack(() => ({
  scripts: { api: apiWithShortFlows(folder, { 'email-token': shortLifeMs, 'sms-2fa': shortLifeMs }) },
  env: { RATE_LIMIT_PER_SECOND: '40' },
}));

describeRateLimit(running);
describeEngineFaults(running);
describeRestart(running);
describeWorkerAway(running);
describeTemporalAway(running);
