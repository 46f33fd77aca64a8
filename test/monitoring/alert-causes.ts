import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newPerson } from '../acceptance/support/new-person';
import type { AlertWorld } from './alert-world';
import { call } from './traffic';

export interface AlertCause {
  /** What happens, for the table. */
  cause: string;
  alerts: readonly string[];
  /** Causes the alerts. Returns a function that ends the cause. */
  start: (world: AlertWorld) => Promise<() => Promise<unknown>>;
}

const stopComponent =
  (name: 'api' | 'worker' | 'temporal' | 'postgres') =>
  async ({ testStack: { stack } }: AlertWorld) => {
    await stack.stop(name);
    return () => stack.start(name);
  };

/** Plans failures of the simulated providers, and sends messages until the cause ends. */
const failing =
  (failure: object, path: string, count = 3) =>
  async (world: AlertWorld) => {
    await world.testStack.inbox.planFailures({ times: 1_000, ...failure });
    return repeat(
      () => world.sendMessages(count, path),
      () => world.testStack.inbox.clearFailures(),
    );
  };

/** Repeats `work` until the returned function is called. This function then ends the cause with `end`. */
function repeat(work: () => Promise<unknown>, end: () => Promise<unknown> = async () => undefined) {
  const ended = new AbortController();
  const repeats = (async () => {
    for (; !ended.signal.aborted; await sleep(200)) await work();
  })();
  return async () => {
    ended.abort();
    await end();
    await repeats;
  };
}

/** Locks the table of the transactions for seconds, again and again, while callers read and create transactions. */
async function lockTransactions(world: AlertWorld) {
  const paths = await world.sendMessages(5, 'whatsapps/2fa');
  const client = await world.pool.connect();
  const callMany = () =>
    Promise.all([
      ...paths.map((path) => world.send('GET', path)),
      ...Array.from({ length: 30 }, () => world.send('POST', '/v1/transaction', newPerson().body)),
    ]);
  const endCalls = repeat(callMany);
  const endLocks = repeat(async () => {
    await client.query('begin');
    await client.query('lock table transactions in access exclusive mode');
    await sleep(3_000);
    await client.query('commit');
  });
  return async () => {
    await endLocks();
    client.release();
    await endCalls();
  };
}

/** The causes in the order of the test. Each ends before the next one starts. */
export const alertCauses: readonly AlertCause[] = [
  {
    cause: 'Twilio answers 401 to SMS',
    alerts: ['CountersignProviderRefusesAccount', 'CountersignLoggedErrors'],
    start: failing({ channel: 'sms', kind: 'status', status: 401 }, 'sms/2fa'),
  },
  {
    cause: 'Twilio answers 500 to WhatsApp messages',
    alerts: ['CountersignProviderFailing'],
    start: failing({ channel: 'whatsapp', kind: 'status', status: 500 }, 'whatsapps/2fa'),
  },
  {
    cause: 'WhatsApp rejects the template of a code',
    alerts: ['CountersignTemplateRejected'],
    // No other cause sends codes by WhatsApp, so the template is new. The worker reads its status after half a minute.
    start: failing({ channel: 'template', kind: 'rejected' }, 'whatsapps/tokens', 1),
  },
  {
    cause: 'Twilio does not answer, then answers 400 to the next attempt',
    alerts: ['CountersignOutcomeUnknown'],
    start: async (world) => {
      const { inbox } = world.testStack;
      const channel = 'whatsapp';
      await inbox.planFailures(
        { channel, kind: 'timeout', times: 12 },
        { channel, kind: 'status', status: 400, times: 1_000 },
      );
      await world.sendMessages(12, 'whatsapps/2fa');
      return () => inbox.clearFailures();
    },
  },
  {
    cause: 'the carrier delivers no SMS',
    alerts: ['CountersignUndelivered'],
    start: failing({ channel: 'sms', kind: 'undelivered' }, 'sms/2fa'),
  },
  {
    cause: 'persons stop to type codes',
    alerts: ['CountersignConversionDropped'],
    start: async ({ traffic }) => {
      traffic.personsConfirm = false;
      return async () => (traffic.personsConfirm = true);
    },
  },
  {
    cause: 'nobody with one phone prefix answers',
    alerts: ['CountersignPrefixBlocked'],
    start: async (world) => {
      const token = await world.testStack.stack.token('other');
      const { api } = world.testStack.stack.addresses;
      for (let last = 1_000; last < 1_008; last += 1) {
        const body = { ...newPerson().body, phone: { countryCode: 55, areaCode: 21, number: 987_650_000 + last } };
        const { body: { id } = {} } = (await call(api, token, 'POST', '/v1/transaction', body)) ?? {};
        await call(api, token, 'POST', `/v1/transaction/${id}/sms/tokens`);
      }
      return async () => undefined;
    },
  },
  {
    cause: 'no worker runs',
    alerts: [
      'CountersignWorkerDown',
      'CountersignCommandsUnavailable',
      'CountersignApiErrors',
      'CountersignReadsFallBack',
    ],
    start: async (world) => {
      const paths = await world.sendMessages(5, 'whatsapps/2fa');
      const end = await stopComponent('worker')(world);
      return repeat(
        () =>
          Promise.all(
            paths.map((path) => Promise.all([world.send('GET', path), world.send('POST', `${path}/emails/tokens`)])),
          ),
        end,
      );
    },
  },
  {
    cause: 'Temporal is down',
    alerts: ['CountersignDueTransactionsLate', 'CountersignProviderEventsLate', 'CountersignWebhookDeliveriesLate'],
    start: async (world) => {
      const { inbox, stack } = world.testStack;
      await world.sendMessages(10, 'sms/2fa');
      const person = newPerson();
      const { body: { id } = {} } = (await world.send('POST', '/v1/transaction', person.body)) ?? {};
      await world.send('POST', `/v1/transaction/${id}/whatsapps/2fa`);
      const message = await inbox.waitForNewest(person.phone, 'whatsapp');
      await stack.stop('temporal');
      await inbox.reply(message.id, { button: 1 });
      return () => stack.start('temporal');
    },
  },
  {
    cause: 'Postgres is down',
    alerts: ['CountersignPostgresUnreachable'],
    start: stopComponent('postgres'),
  },
  {
    cause: 'a lock on a table',
    alerts: ['CountersignApiSlow', 'CountersignPostgresConnectionsWaiting'],
    start: lockTransactions,
  },
  { cause: 'no API process runs', alerts: ['CountersignApiDown'], start: stopComponent('api') },
  {
    cause: 'the worker runs for 0.1 s, then stands still for 0.4 s',
    alerts: ['CountersignEventLoopDelayed'],
    start: async (world) => world.starve('worker', 400, 100),
  },
  {
    cause: 'the worker runs for 0.7 s, then stands still for 3 s',
    alerts: ['CountersignWorkersBusy'],
    start: async (world) => {
      const end = world.starve('worker', 3_000, 700);
      return repeat(() => world.sendMessages(5, 'sms/2fa'), end);
    },
  },
  {
    cause: 'the task of a workflow always fails',
    alerts: ['CountersignWorkflowTasksFailing'],
    start: async ({ temporal }) => {
      const options = { taskQueue: 'countersign', workflowId: `unknown-${randomInt(1e6)}`, args: [] };
      const handle = await temporal.workflow.start('unknown', options);
      return () => handle.terminate();
    },
  },
  {
    cause: 'somebody terminates the workflows of transactions',
    alerts: ['CountersignWorkflowsBehind'],
    start: async (world) => {
      const paths = await world.sendMessages(12, 'sms/2fa');
      const ids = paths.map((path) => path.split('/').at(-1));
      await Promise.all(ids.map((id) => world.temporal.workflow.getHandle(`transaction/local/${id}`).terminate()));
      return async () => undefined;
    },
  },
  {
    cause: 'a workflow run with more than 25 events (in production: 5,000) ends',
    alerts: ['CountersignHistoriesLong'],
    start: async (world) => {
      const paths = await world.sendMessages(2, 'sms/2fa');
      await Promise.all(
        paths.map(async (path) => {
          for (let n = 0; n < 5; n += 1) await world.send('POST', `${path}/sms/tokens/validate`, { value: '000001' });
          await world.temporal.workflow.getHandle(`transaction/local/${path.split('/').at(-1)}`).cancel();
        }),
      );
      return async () => undefined;
    },
  },
  {
    cause: 'the retention cannot clean up a table',
    alerts: ['CountersignRetentionFailing'],
    start: async ({ pool }) => {
      await pool.query('alter table rate_limits rename to rate_limits_away');
      return () => pool.query('alter table rate_limits_away rename to rate_limits');
    },
  },
];
