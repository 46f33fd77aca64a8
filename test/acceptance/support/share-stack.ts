import { type TestStack, type GetTestStack, startTestStack } from './test-stack';

/** The time limit for the build and the start of the stack. On a busy machine, each can take more than 20 s. */
const startWithinMs = 180_000;
const stopWithinMs = 30_000;

type Options = Parameters<typeof startTestStack>[0];

/** Starts one stack for all suites of a file, because each start is slow. Returns a function that returns the stack. */
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
