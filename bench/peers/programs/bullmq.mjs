// BullMQ on Redis, with the record in Postgres. `node bullmq.mjs api` serves requests, `node bullmq.mjs worker` sends messages. If the worker
// dies, another one takes its jobs over: a message that the provider got before the job was completed is sent again. Redis writes its log to
// the disk once a second (appendfsync everysec): a crash of the machine can lose the jobs of the last second.
import { randomUUID } from 'node:crypto';
import { Queue, QueueEvents, Worker } from 'bullmq';
import { createCode, serve, serveHealth } from './endpoints.mjs';
import { sendSms, toE164 } from './provider.mjs';
import { openRecord } from './record.mjs';

const connection = { host: '127.0.0.1', port: Number(process.env.REDIS_PORT) };
/** A request waits at most this long for its job: longer than the takeover of a job. */
const jobTimeoutMs = 60_000;
const record = await openRecord();

async function runApi() {
  const [sends, expiries] = ['send', 'expire'].map((name) => new Queue(name, { connection }));
  const events = new QueueEvents('send', { connection });
  events.setMaxListeners(0);
  await events.waitUntilReady();
  serve({
    check: record.check,
    read: record.read,
    async create(id, person) {
      await record.create(id, person);
      await expiries.add('expire', { id }, { delay: 86_400_000, jobId: id });
    },
    async send(id) {
      const [messageId, code] = [randomUUID(), createCode()];
      const reserved = await record.reserve(id, messageId, code);
      if (!reserved) return undefined;
      const data = { messageId, code, to: toE164(reserved.person.phone) };
      const retries = { attempts: 20, backoff: { type: 'fixed', delay: 500 } };
      const job = await sends.add('send', data, { ...retries, jobId: messageId, removeOnComplete: 1_000 });
      await job.waitUntilFinished(events, jobTimeoutMs);
      return { id: messageId, status: 'sent' };
    },
  });
}

async function runWorker() {
  // A send takes at most 2.5 s. All peers notice a dead process after 10 s, like Countersign.
  const takeover = { lockDuration: 8_000, stalledInterval: 2_000, maxStalledCount: 20 };
  const send = async ({ data }) => void (await record.saveSent(data.messageId, await sendSms(data.to, data.code)));
  const expire = async ({ data }) => void (await record.expire(data.id));
  const workers = [
    new Worker('send', send, { connection, concurrency: 20, ...takeover }),
    new Worker('expire', expire, { connection }),
  ];
  for (const worker of workers) worker.on('error', console.error);
  await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  serveHealth();
}

await (process.argv[2] === 'worker' ? runWorker() : runApi());
