/**
 * Waits for `work`, at most `ms` milliseconds. If the time ends first, calls `late`, and returns its result or throws its error. The work
 * goes on meanwhile: to stop it, `late` must do so. Its later result or error is lost.
 */
export async function within<Result, Late>(
  ms: number,
  work: Promise<Result>,
  late: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return Promise.race([work, timeUp.then(late)]).finally(() => clearTimeout(timer));
}
