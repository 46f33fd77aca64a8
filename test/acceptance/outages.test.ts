import { shareStack } from './support/share-stack';
import { describeAnalysisFailures } from './suites/analysis-failures.suite';
import { describeRestart } from './suites/restart.suite';
import { describeTemporalOutage } from './suites/temporal-outage.suite';
import { describeWorkerOutage } from './suites/worker-outage.suite';

/** Short, because tests wait for the expiry. Long enough for a busy machine to send and read the message and stop the stack before the expiry. */
const shortExpiry = { expiresAfterSeconds: 12 };

// These suites stop parts of their stack, so they do not share it with other suites.
const getTestStack = shareStack(() => ({
  env: {
    FLOW_SETTINGS: JSON.stringify({ 'email-token': shortExpiry, 'sms-2fa': shortExpiry }),
  },
}));

describeAnalysisFailures(getTestStack);
describeRestart(getTestStack);
describeWorkerOutage(getTestStack);
describeTemporalOutage(getTestStack);
