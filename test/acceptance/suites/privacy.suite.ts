import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { GetTestStack } from '../support/test-stack';
import { issuedSecrets } from '../support/biometrics-link';
import { walkCodes, walkPerson } from './walkthrough.suite';

interface Canary {
  what: string;
  pattern: RegExp;
}

const escaped = (text: string) => text.replace(/[.+]/g, '\\$&');

/** Personal data that operators must never see. Codes must stand alone, because ids may contain the same digits. */
function canaries(): Canary[] {
  const { document, name, phone, email } = walkPerson.body;
  const alone = (digits: string) => new RegExp(`(?<![0-9a-z])${digits}(?![0-9a-z])`, 'i');
  return [
    ...walkCodes.map((code) => ({ what: 'code', pattern: alone(code) })),
    { what: 'document', pattern: new RegExp(document) },
    { what: 'phone', pattern: new RegExp(String(phone.number)) },
    { what: 'mail address', pattern: new RegExp(escaped(email), 'i') },
    { what: 'mailbox', pattern: new RegExp(escaped(email.split('@')[0] ?? ''), 'i') },
    ...name.split(' ').map((part) => ({ what: 'name', pattern: new RegExp(part, 'i') })),
  ];
}

const found = (text: string) => canaries().flatMap(({ what, pattern }) => (pattern.test(text) ? [what] : []));

/** Where the walkthrough must leave no personal data. It runs after the walkthrough. */
export function describePrivacy(getTestStack: GetTestStack): void {
  describe('no personal data is in clear text', () => {
    it('the search finds personal data in a sample text', () => {
      expect(walkCodes).toHaveLength(2);
      const { name, document, email, phone } = walkPerson.body;
      const line = JSON.stringify({ name, document, email, to: `+5511${phone.number}`, body: walkCodes.join() });
      expect(found(line)).toEqual(canaries().map(({ what }) => what));
    });

    it.each(['api', 'worker', 'supervisor', 'temporal', 'postgres'])('not in the log of %s at debug level', (part) => {
      const log = readFileSync(join(getTestStack().stack.dataDir, 'log', `${part}.log`), 'utf8');
      if (part === 'worker') expect(log).toContain('"level":20');
      if (part === 'api') expect(log.split('\n').length).toBeGreaterThan(20);
      expect(found(log)).toEqual([]);
    });

    it.each(['api', 'worker', 'temporal', 'postgres'])(
      'not in the log of %s: no address that opens a link or an image',
      (part) => {
        const log = readFileSync(join(getTestStack().stack.dataDir, 'log', `${part}.log`), 'utf8');
        expect(issuedSecrets.length).toBeGreaterThan(4);
        expect(issuedSecrets.filter((secret) => log.includes(secret))).toEqual([]);
      },
    );

    it('not in the ids, types and search attributes of workflows', async () => {
      const connection = await Connection.connect({ address: getTestStack().stack.addresses.temporal });
      const entries: string[] = [];
      for await (const { workflowId, type, searchAttributes } of new Client({ connection }).workflow.list())
        entries.push(JSON.stringify({ workflowId, type, searchAttributes }));
      await connection.close();
      expect(entries.length).toBeGreaterThan(0);
      expect(found(entries.join('\n'))).toEqual([]);
      const ours =
        /"(?:transaction\/(?:local|other)\/[0-9a-f-]{36}|readiness\/[0-9a-f-]{36}|countersign-image-retention[\w:-]*)"/;
      expect(entries.filter((one) => !ours.test(one))).toEqual([]);
    });

    it('not in the timers, activities and details that operators see', async () => {
      const connection = await Connection.connect({ address: getTestStack().stack.addresses.temporal });
      const client = new Client({ connection });
      const summaries: string[] = [];
      for await (const { workflowId } of client.workflow.list({ pageSize: 50 })) {
        const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
        for (const event of events ?? []) {
          const { summary, details } = event.userMetadata ?? {};
          for (const payload of [summary, details])
            if (payload?.data) summaries.push(Buffer.from(payload.data).toString());
        }
        if (summaries.length > 200) break;
      }
      await connection.close();
      expect(summaries.length).toBeGreaterThan(10);
      expect(found(summaries.join('\n'))).toEqual([]);
    });
  });
}
