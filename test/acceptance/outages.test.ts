import { shareStack } from './support/share-stack';
import { describeAnalysisFailures } from './suites/analysis-failures.suite';
import { describeRestart } from './suites/restart.suite';
import { describeTemporalOutage } from './suites/temporal-outage.suite';
import { describeWorkerOutage } from './suites/worker-outage.suite';

/**
 * How soon codes by e-mail and questions by SMS expire in these suites. The time is short, because a test waits until they have expired.
 * But a busy machine must have time to send and read the message, and to stop the stack.
 */
const shortExpiry = { expiresAfterSeconds: 12 };

// These suites stop parts of their stack, so no other suite uses the same stack.
const getTestStack = shareStack(() => ({
  env: {
    FLOW_SETTINGS: JSON.stringify({ 'email-token': shortExpiry, 'sms-2fa': shortExpiry }),
  },
}));

describeAnalysisFailures(getTestStack);
describeRestart(getTestStack);
describeWorkerOutage(getTestStack);
describeTemporalOutage(getTestStack);
