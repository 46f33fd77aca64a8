/** Everything that the requests and the database connections of a test need in real time. */
const realTimers = [
  ...(['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'] as const),
  ...(['setTimeout', 'clearTimeout', 'Date', 'performance', 'hrtime'] as const),
];

/** Makes only intervals fake: they end when the test says so, with `jest.advanceTimersByTime`. */
export const fakeIntervals = () => jest.useFakeTimers({ doNotFake: realTimers });
