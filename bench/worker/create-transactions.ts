import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../../dev/stack/stack';
import { type Visit, visitsOf } from '../population/population';

/** As many callers as keep both a small machine and the worker's slots busy. */
const atOnce = 8;
/** The API promises an answer within 5 s; an answer that takes this long will not come. */
const answerWithinMs = 15_000;
/** A stack that has been away for so long does not come back. */
const tries = 20;
const pauseMs = 500;

const seed = 20_260_102;

async function create(address: string, token: string, { transaction }: Visit): Promise<void> {
  for (let left = tries; ; left -= 1) {
    const answer = await fetch(`${address}/v1/transaction`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': transaction.id,
      },
      body: JSON.stringify(transaction.input),
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const text = await answer.text();
    if (answer.ok) return;
    if (answer.status < 500 || left === 0) throw new Error(`The API answered ${answer.status}: ${text}`);
    await sleep(pauseMs);
  }
}

/** Creates transactions over HTTP, eight at a time, of persons as the link bench has them. */
export async function createTransactions(stack: Stack, count: number): Promise<void> {
  const token = await stack.token();
  const visits = visitsOf({ seed, size: count });
  const caller = async () => {
    for (let next = visits.next(); !next.done; next = visits.next()) {
      await create(stack.addresses.api, token, next.value);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
}
