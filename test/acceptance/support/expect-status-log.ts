/** The first and the last status are required. A status between them may be missing, because status callbacks may arrive out of order. */
export function expectStatusLog(log: unknown, newestFirst: readonly string[]): void {
  const statuses = (log as { status: string }[]).map(({ status }) => status);
  expect(statuses).toEqual(newestFirst.filter((status) => statuses.includes(status)));
  expect([statuses[0], statuses.at(-1)]).toEqual([newestFirst[0], newestFirst.at(-1)]);
}
