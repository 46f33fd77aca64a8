import { type TestStack, type GetTestStack, startTestStack } from './test-stack';

/** The limit for the build and the start. On a busy machine, each can take more than 20 s. */
const startWithinMs = 180_000;
const stopWithinMs = 30_000;

type Options = Parameters<typeof startTestStack>[0];

/** One stack for all suites of a file, because each start is slow. */
export function shareStack(options: () => Options | Promise<Options>): GetTestStack {
  let testStack: TestStack | undefined;
  beforeAll(async () => {
    testStack = await startTestStack(await options());
  }, startWithinMs);
  afterAll(() => testStack?.remove(), stopWithinMs);
  return () => {
    if (!testStack) throw new Error('The stack did not start.');
    return testStack;
  };
}
