// DBOS on Postgres. Each send and each expiry is a workflow, whose steps are saved in Postgres. After a crash, DBOS continues open
// workflows at their last saved step: a message that the provider got before the step was saved is sent again.
import { randomUUID } from 'node:crypto';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { createCode, serve } from './endpoints.mjs';
import { sendSms, toE164 } from './provider.mjs';
import { openRecord } from './record.mjs';

const record = await openRecord();
DBOS.setConfig({
  name: 'peer',
  systemDatabaseUrl: process.env.DATABASE_URL,
  systemDatabasePoolSize: 20,
  // Without this, DBOS takes the digest of the code as the version, and continues only workflows of the same version.
  applicationVersion: '1',
  logLevel: 'warn',
});

const sendMessage = DBOS.registerWorkflow(
  async (id) => {
    const reserve = async () => {
      const [messageId, code] = [randomUUID(), createCode()];
      const reserved = await record.reserve(id, messageId, code);
      return reserved ? { messageId, code, to: toE164(reserved.person.phone) } : null;
    };
    const message = await DBOS.runStep(reserve, { name: 'reserve' });
    if (!message) return undefined;
    const send = () => sendSms(message.to, message.code);
    const sid = await DBOS.runStep(send, { name: 'send', retriesAllowed: true, maxAttempts: 3 });
    await DBOS.runStep(() => record.saveSent(message.messageId, sid), { name: 'save' });
    return { id: message.messageId, status: 'sent' };
  },
  { name: 'sendMessage' },
);

const expireLater = DBOS.registerWorkflow(
  async (id) => {
    await DBOS.sleep(86_400_000);
    await DBOS.runStep(() => record.expire(id), { name: 'expire' });
  },
  { name: 'expireLater' },
);

await DBOS.launch();
serve({
  check: record.check,
  read: record.read,
  send: (id) => sendMessage(id),
  async create(id, person) {
    await record.create(id, person);
    await DBOS.startWorkflow(expireLater, { workflowID: `expire-${id}` })(id);
  },
});
