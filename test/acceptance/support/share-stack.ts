import { type TestStack, type GetTestStack, startTestStack } from './acceptance-stack';

/** Building takes up to 20 s and a first start as long, on a machine that runs other tests at the same time. */
const startWithinMs = 180_000;
const stopWithinMs = 30_000;

type Options = Parameters<typeof startTestStack>[0];

/** One stack for all suites of a file, because it is what takes the time: started before the first, removed after the last. */
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
