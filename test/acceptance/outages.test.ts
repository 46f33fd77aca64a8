import { shareStack } from './support/share-stack';
import { describeAnalysisFailures } from './suites/analysis-failures.suite';
import { describeRateLimit } from './suites/rate-limit.suite';
import { describeRestart } from './suites/restart.suite';
import { describeTemporalOutage } from './suites/temporal-outage.suite';
import { describeWorkerOutage } from './suites/worker-outage.suite';

/** Tests wait for this expiry. Before it, a busy machine can request, read the message and stop everything. */
const shortExpiry = { expiresAfterSeconds: 12 };

// These suites stop parts of their stack, so they do not share it with other suites.
const getTestStack = shareStack(() => ({
  env: {
    RATE_LIMIT_PER_SECOND: '40',
    FLOW_SETTINGS: JSON.stringify({ 'email-token': shortExpiry, 'sms-2fa': shortExpiry }),
  },
}));

describeRateLimit(getTestStack);
describeAnalysisFailures(getTestStack);
describeRestart(getTestStack);
describeWorkerOutage(getTestStack);
describeTemporalOutage(getTestStack);
