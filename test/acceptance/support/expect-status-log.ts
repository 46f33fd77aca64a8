/**
 * Fails unless a log, newest first, ends where it should, begins with the first status and never went back. Reports that
 * overtake each other leave a step out, which is no fault.
 */
export function expectStatusLog(records: unknown, newestFirst: readonly string[]): void {
  const statuses = (records as { status: string }[]).map(({ status }) => status);
  expect(statuses).toEqual(newestFirst.filter((status) => statuses.includes(status)));
  expect([statuses[0], statuses.at(-1)]).toEqual([newestFirst[0], newestFirst.at(-1)]);
}
