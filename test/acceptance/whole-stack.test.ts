import { type Acceptance, startAcceptance } from './support/acceptance-stack';
import { describeMailLinks } from './suites/mail-links.suite';
import { describeShapes } from './suites/shapes.suite';
import { describeWalk } from './suites/walk.suite';

// One stack for all of these suites: it is what takes the time. They share budgets only where a test says so.
let acceptance: Acceptance;
const running = () => acceptance;

beforeAll(async () => {
  acceptance = await startAcceptance({ env: { LOG_LEVEL: 'debug' } });
}, 180_000);
afterAll(() => acceptance.remove(), 30_000);

describeWalk(running);
describeMailLinks(running);
describeShapes(running);
