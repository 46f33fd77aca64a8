import type { Client } from '@temporalio/client';

/** A call to Temporal took longer than its deadline. */
export class DeadlineExceeded extends Error {
  override name = 'DeadlineExceeded';
}

/**
 * Runs a call to Temporal with a deadline of `ms` from now. The deadline of the SDK does not include the time to connect, so our own timer
 * limits the whole call. Without a deadline, the SDK retries silently for up to 40 s.
 */
export async function withDeadline<Result>(
  client: Client | Promise<Client>,
  ms: number,
  call: (client: Client) => Promise<Result>,
): Promise<Result> {
  const deadline = Date.now() + ms;
  const result = Promise.resolve(client).then((openClient) =>
    openClient.withDeadline(deadline, () => call(openClient)),
  );
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineExceeded('Temporal did not answer in time')), ms + 100);
  });
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
