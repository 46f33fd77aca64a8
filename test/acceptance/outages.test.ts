import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Acceptance, startAcceptance } from './support/acceptance-stack';
import { apiWithShortFlows } from './support/short-flows';
import { describeRateLimit } from './suites/rate-limit.suite';
import { describeRestart } from './suites/restart.suite';
import { describeTemporalAway } from './suites/temporal-away.suite';
import { describeWorkerAway } from './suites/worker-away.suite';

/** Long enough to ask, read the message and stop everything on a busy machine; short enough to wait for. */
const shortLifeMs = 12_000;

// A stack of its own: these suites stop parts of it, under which no other suite could run.
let acceptance: Acceptance;
const running = () => acceptance;
const folder = mkdtempSync(join(tmpdir(), 'countersign-short-flows-'));

beforeAll(async () => {
  const api = apiWithShortFlows(folder, { 'email-token': shortLifeMs, 'sms-2fa': shortLifeMs });
  acceptance = await startAcceptance({ scripts: { api }, env: { RATE_LIMIT_PER_SECOND: '40' } });
}, 180_000);
afterAll(async () => {
  await acceptance.remove();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

describeRateLimit(running);
describeRestart(running);
describeWorkerAway(running);
describeTemporalAway(running);
