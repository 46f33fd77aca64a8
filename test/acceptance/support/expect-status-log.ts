/**
 * Fails unless a log, newest first, has the right first and last status and never went back. A step may be missing when
 * delivery reports overtake each other.
 */
export function expectStatusLog(records: unknown, newestFirst: readonly string[]): void {
  const statuses = (records as { status: string }[]).map(({ status }) => status);
  expect(statuses).toEqual(newestFirst.filter((status) => statuses.includes(status)));
  expect([statuses[0], statuses.at(-1)]).toEqual([newestFirst[0], newestFirst.at(-1)]);
}
