// Express and Postgres. The process that answers the request also sends the message. Between the two statements, nothing knows whether the
// provider got the message: if the process dies there, the message stays `sending`, and nobody looks at it again.
import { randomUUID } from 'node:crypto';
import { createCode, serve } from './endpoints.mjs';
import { sendSms, toE164 } from './provider.mjs';
import { openRecord } from './record.mjs';

const record = await openRecord();
setInterval(() => void record.expireAll().catch(console.error), 30_000);

serve({
  create: record.create,
  check: record.check,
  read: record.read,
  async send(id) {
    const [messageId, code] = [randomUUID(), createCode()];
    const reserved = await record.reserve(id, messageId, code);
    if (!reserved) return undefined;
    await record.saveSent(messageId, await sendSms(toE164(reserved.person.phone), code));
    return { id: messageId, status: 'sent' };
  },
});
