import { findFreePort } from '../../dev/stack/free-port';
import { FakeFaceVerifier } from './support/face-verifier';
import { shareStack } from './support/share-stack';
import { describeAccess } from './suites/access.suite';
import { describeAnalyses } from './suites/analyses.suite';
import { describeBadInput } from './suites/bad-input.suite';
import { biometricsSettings } from './support/biometrics-link';
import { describeBiometrics } from './suites/biometrics.suite';
import { describeBiometricsLinks } from './suites/biometrics-links.suite';
import { describeDeadWorker } from './suites/dead-worker.suite';
import { describeDownloads } from './suites/downloads.suite';
import { describeEmbedding } from './suites/embedding.suite';
import { describeErasure } from './suites/erasure.suite';
import { describeFaceVerifier } from './suites/face-verifier.suite';
import { describeConcurrency } from './suites/concurrency.suite';
import { describeFlows } from './suites/flows.suite';
import { describeHostileTexts } from './suites/hostile-texts.suite';
import { describeIdempotency } from './suites/idempotency.suite';
import { describeMailLinks } from './suites/mail-links.suite';
import { describeMonitoring } from './suites/monitoring.suite';
import { describePages } from './suites/pages.suite';
import { describePrivacy } from './suites/privacy.suite';
import { describeProviderFailures } from './suites/provider-failures.suite';
import { describeRejections } from './suites/rejections.suite';
import { describeStackTraces } from './suites/stack-traces.suite';
import { describeStatus } from './suites/status.suite';
import { describeReset } from './suites/reset.suite';
import { describeShapes } from './suites/shapes.suite';
import { describeTemporalUi } from './suites/temporal-ui.suite';
import { describeTestMode } from './suites/test-mode.suite';
import { describeWalkthrough } from './suites/walkthrough.suite';
import { describeWebhooks } from './suites/webhooks.suite';

const verifier = new FakeFaceVerifier();
afterAll(() => verifier.stop());
const getTestStack = shareStack(async () => ({
  env: {
    LOG_LEVEL: 'debug',
    BIOMETRICS_SETTINGS: JSON.stringify(biometricsSettings),
    FACE_VERIFIER_URL: await verifier.start(),
    OTEL_METRICS_EXPORTER: 'prometheus',
    // The worker uses the next port.
    OTEL_EXPORTER_PROMETHEUS_PORT: String(await findFreePort()),
  },
}));

describeWalkthrough(getTestStack);
describeMailLinks(getTestStack);
describeAnalyses(getTestStack);
describeStatus(getTestStack);
describeWebhooks(getTestStack);
describeShapes(getTestStack);
describeAccess(getTestStack);
describeBadInput(getTestStack);
describeHostileTexts(getTestStack);
describeRejections(getTestStack);
describeIdempotency(getTestStack);
describeConcurrency(getTestStack);
describePages(getTestStack);
describeDownloads(getTestStack);
describeTemporalUi(getTestStack);
describeBiometrics(getTestStack);
describeBiometricsLinks(getTestStack);
describeFaceVerifier(getTestStack, verifier);
describeEmbedding(getTestStack);
describeFlows(getTestStack);
describeTestMode(getTestStack);
describeDeadWorker(getTestStack);
describeErasure(getTestStack);
describeReset(getTestStack);
describeStackTraces(getTestStack);
describeProviderFailures(getTestStack);
describeMonitoring(getTestStack);
// Last, because it searches what the other suites wrote to the logs.
describePrivacy(getTestStack);
