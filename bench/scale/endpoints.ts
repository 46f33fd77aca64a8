import { confirmAll, concurrency, type Side } from '../versions/sides';
import { type CallMeasurement, measureCalls } from '../worker/bench-caller';
import type { OpenTransactions } from './open-transactions';

/** A stack with open transactions. */
export interface ScaleSide {
  side: Side;
  open: OpenTransactions;
}

/** What is measured, with its name in the tables. */
export const endpoints = {
  create: 'POST transaction',
  send: 'POST sms/tokens',
  validate: 'POST sms/tokens/validate',
  wrongCode: 'POST sms/tokens/validate, a transaction at random',
  read: 'GET transaction',
  list: 'GET transactions, 50 newest',
  search: 'POST search by phone',
} as const;
export type Endpoint = keyof typeof endpoints;
export const endpointNames = Object.keys(endpoints) as Endpoint[];

/** Calls each endpoint `calls` times. The first three are called for new transactions, the others for those that are open. */
export async function measureEndpoints(
  { side, open }: ScaleSide,
  calls: number,
): Promise<Record<Endpoint, CallMeasurement>> {
  const { caller } = side;
  const confirmed = await confirmAll(side, calls);
  const picked = Array.from({ length: calls }, () => open.pick());
  const measure = (call: (transaction: (typeof picked)[number]) => Promise<unknown>) =>
    measureCalls(picked, concurrency, call);
  return {
    ...confirmed,
    wrongCode: await measure(({ path }) => caller.call('POST', `${path}/sms/tokens/validate`, { value: '000000' })),
    read: await measure((transaction) => caller.readTransaction(transaction)),
    list: await measure(() => caller.call('GET', '/v1/transactions?limit=50')),
    search: await measure(({ phone }) =>
      caller.call('POST', '/v1/search', {
        by: 'phone',
        phone: { countryCode: 55, areaCode: 11, number: Number(phone.slice('+5511'.length)) },
      }),
    ),
  };
}
