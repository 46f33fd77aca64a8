import { shareStack } from './support/share-stack';
import { describeAccess } from './suites/access.suite';
import { describeAnalyses } from './suites/analyses.suite';
import { describeBadInput } from './suites/bad-input.suite';
import { describeConcurrency } from './suites/concurrency.suite';
import { describeIdempotency } from './suites/idempotency.suite';
import { describeMailLinks } from './suites/mail-links.suite';
import { describeOpenApi } from './suites/openapi.suite';
import { describePages } from './suites/pages.suite';
import { describePrivacy } from './suites/privacy.suite';
import { describeProviderFaults } from './suites/provider-faults.suite';
import { describeReadme } from './suites/readme.suite';
import { describeRefusals } from './suites/refusals.suite';
import { describeShapes } from './suites/shapes.suite';
import { describeWalk } from './suites/walk.suite';

const running = shareStack(() => ({ env: { LOG_LEVEL: 'debug' } }));

describeReadme(running);
describeWalk(running);
describeMailLinks(running);
describeAnalyses(running);
describeShapes(running);
describeOpenApi(running);
describeAccess(running);
describeBadInput(running);
describeRefusals(running);
describeIdempotency(running);
describeConcurrency(running);
describePages(running);
describeProviderFaults(running);
// The last, so that it searches what all the others have left.
describePrivacy(running);
