import { shareStack } from './support/share-stack';
import { describeAccessMatrix } from './suites/access-matrix.suite';
import { describeClientPackage } from './suites/client-package.suite';
import { describeGuides } from './suites/guides.suite';
import { describeOpenApi } from './suites/openapi.suite';
import { describeReadme } from './suites/readme.suite';

// What is written about the service, on a stack of its own. No test checks a deadline, so other suites may use the CPU at the same time.
const getTestStack = shareStack(() => ({}));

describeReadme(getTestStack);
describeGuides(getTestStack);
describeClientPackage(getTestStack);
describeOpenApi(getTestStack);
describeAccessMatrix(getTestStack);
