// pg-boss on Postgres. Each send and each expiry is a job. If the process dies, the job is retried when its time is over: a message that the
// provider got before the job was completed is sent again. API and jobs share a process, so that a request can wait for its job.
import { randomUUID } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import { createCode, serve } from './endpoints.mjs';
import { sendSms, toE164 } from './provider.mjs';
import { openRecord } from './record.mjs';

const record = await openRecord();
const boss = new PgBoss({
  connectionString: process.env.DATABASE_URL,
  max: 20,
  // Workers start when a job arrives, instead of at their next poll.
  useListenNotify: true,
  // A job whose process died is found within this time after its end.
  superviseIntervalSeconds: 2,
  monitorIntervalSeconds: 2,
});
boss.on('error', console.error);
await boss.start();
// A send takes at most 2.5 s. All peers notice a dead process after 10 s, like Countersign.
const sends = { notify: true, expireInSeconds: 10, retryLimit: 20 };
await boss.createQueue('send', sends);
await boss.createQueue('expire');

/** Requests that wait for their job, by the id of the message. */
const waiting = new Map();
// No notification announces a retry, so workers also poll.
const polling = { localConcurrency: 10, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 };
await boss.work('send', polling, async ([{ data }]) => {
  const sid = await sendSms(data.to, data.code);
  await record.saveSent(data.messageId, sid);
  waiting.get(data.messageId)?.();
});
await boss.work('expire', { pollingIntervalSeconds: 30 }, async ([{ data }]) => void (await record.expire(data.id)));

serve({
  check: record.check,
  read: record.read,
  async create(id, person) {
    await record.create(id, person);
    await boss.send('expire', { id }, { startAfter: 86_400 });
  },
  async send(id) {
    const [messageId, code] = [randomUUID(), createCode()];
    const reserved = await record.reserve(id, messageId, code);
    if (!reserved) return undefined;
    const sent = new Promise((resolve) => waiting.set(messageId, resolve));
    await boss.send('send', { messageId, code, to: toE164(reserved.person.phone) });
    await sent;
    waiting.delete(messageId);
    return { id: messageId, status: 'sent' };
  },
});
