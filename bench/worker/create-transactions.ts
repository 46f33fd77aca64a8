import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../../dev/stack/stack';
import { type PopulationTransaction, generateTransactions } from '../population/population';

/** Parallel callers: enough to keep a small machine and the worker busy. */
const concurrency = 8;
/** Timeout of a request. The API creates a transaction within 5 s. A response that has not arrived after 15 s will not arrive. */
const requestTimeoutMs = 15_000;
/** How many times a failed request is repeated at most. If the last repeat also fails, the stack will not recover. */
const attemptsMax = 20;
/** Pause before a failed request is repeated. */
const pauseMs = 500;

const seed = 20_260_102;

async function create(address: string, token: string, { transaction }: PopulationTransaction): Promise<void> {
  for (let remainingAttempts = attemptsMax; ; remainingAttempts -= 1) {
    const response = await fetch(`${address}/v1/transaction`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': transaction.id,
      },
      body: JSON.stringify(transaction.input),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const text = await response.text();
    if (response.ok) return;
    if (response.status < 500 || remainingAttempts === 0)
      throw new Error(`The API responded ${response.status}: ${text}`);
    await sleep(pauseMs);
  }
}

/** Creates transactions over HTTP, eight at a time. The population has the same distributions as the population of the bench `links`. */
export async function createTransactions(stack: Stack, count: number, onCreated: () => void): Promise<void> {
  const token = await stack.token();
  const transactions = generateTransactions({ seed, size: count });
  const createRemaining = async () => {
    for (let next = transactions.next(); !next.done; next = transactions.next()) {
      await create(stack.addresses.api, token, next.value);
      onCreated();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, createRemaining));
}
