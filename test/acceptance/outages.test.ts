import { shareStack } from './support/share-stack';
import { describeAnalysisFailures } from './suites/engine-faults.suite';
import { describeRateLimit } from './suites/rate-limit.suite';
import { describeRestart } from './suites/restart.suite';
import { describeTemporalOutage } from './suites/temporal-away.suite';
import { describeWorkerOutage } from './suites/worker-away.suite';

/** Long enough to ask, read the message and stop everything on a busy machine; short enough to wait for. */
const shortLife = { expiresAfterSeconds: 12 };

// A stack of its own: these suites stop parts of it, under which no other suite could run.
const getTestStack = shareStack(() => ({
  env: {
    RATE_LIMIT_PER_SECOND: '40',
    FLOW_SETTINGS: JSON.stringify({ 'email-token': shortLife, 'sms-2fa': shortLife }),
  },
}));

describeRateLimit(getTestStack);
describeAnalysisFailures(getTestStack);
describeRestart(getTestStack);
describeWorkerOutage(getTestStack);
describeTemporalOutage(getTestStack);
