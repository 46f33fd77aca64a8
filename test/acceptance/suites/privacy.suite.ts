import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { createLogger } from '../../../platform/logger';
import { openPool } from '../../../platform/postgres/postgres';
import { openStackConverter } from '../../support/stack-keys';
import type { GetTestStack } from '../support/test-stack';
import { issuedSecrets } from '../support/biometrics-link';
import { walkthroughCodes, walkthroughPerson } from './walkthrough.suite';

interface PersonalDataPattern {
  kind: string;
  pattern: RegExp;
}

const escapeRegExp = (text: string) => text.replace(/[.+]/g, '\\$&');

/** Data that operators must never see. A code matches only as a whole word, because ids may contain the same digits. */
function personalDataPatterns(): PersonalDataPattern[] {
  const { document, name, phone, email } = walkthroughPerson.body;
  const wholeWordPattern = (digits: string) => new RegExp(`(?<![0-9a-z])${digits}(?![0-9a-z])`, 'i');
  return [
    ...walkthroughCodes.map((code) => ({ kind: 'code', pattern: wholeWordPattern(code) })),
    { kind: 'document', pattern: new RegExp(document) },
    { kind: 'phone', pattern: new RegExp(String(phone.number)) },
    { kind: 'mail address', pattern: new RegExp(escapeRegExp(email), 'i') },
    { kind: 'mailbox', pattern: new RegExp(escapeRegExp(email.split('@')[0] ?? ''), 'i') },
    ...name.split(' ').map((part) => ({ kind: 'name', pattern: new RegExp(part, 'i') })),
  ];
}

const findPersonalData = (text: string) =>
  personalDataPatterns().flatMap(({ kind, pattern }) => (pattern.test(text) ? [kind] : []));

/** Searches logs, ids and histories. Must run after the walkthrough. */
export function describePrivacy(getTestStack: GetTestStack): void {
  describe('the search for personal data in clear text', () => {
    it('the search finds all kinds of personal data in a sample text', () => {
      expect(walkthroughCodes).toHaveLength(2);
      const { name, document, email, phone } = walkthroughPerson.body;
      const line = JSON.stringify({ name, document, email, to: `+5511${phone.number}`, body: walkthroughCodes.join() });
      expect(findPersonalData(line)).toEqual(personalDataPatterns().map(({ kind }) => kind));
    });

    it.each(['api', 'worker', 'temporal', 'postgres'])(
      'the search finds no personal data in the log of %s at debug level',
      (part) => {
        const log = readFileSync(join(getTestStack().stack.dataDir, 'log', `${part}.log`), 'utf8');
        if (part === 'worker') expect(log).toContain('"level":20');
        if (part === 'api') expect(log.split('\n').length).toBeGreaterThan(20);
        expect(findPersonalData(log)).toEqual([]);
      },
    );

    it.each(['api', 'worker', 'temporal', 'postgres'])(
      'the log of %s has no secret from the address of a link or an image',
      (part) => {
        const log = readFileSync(join(getTestStack().stack.dataDir, 'log', `${part}.log`), 'utf8');
        expect(issuedSecrets.length).toBeGreaterThan(4);
        expect(issuedSecrets.filter((secret) => log.includes(secret))).toEqual([]);
      },
    );

    it('the search finds no personal data in the ids, types and search attributes of workflows', async () => {
      const connection = await Connection.connect({ address: getTestStack().stack.addresses.temporal });
      const entries: string[] = [];
      for await (const { workflowId, type, searchAttributes } of new Client({ connection }).workflow.list())
        entries.push(JSON.stringify({ workflowId, type, searchAttributes }));
      await connection.close();
      expect(entries.length).toBeGreaterThan(0);
      expect(findPersonalData(entries.join('\n'))).toEqual([]);
      const countersignPattern =
        /"(?:(?:transaction|webhook)\/[a-z0-9-]+\/[0-9a-f-]{36}|readiness\/[0-9a-f-]{36}|countersign-retention[\w:-]*)"/;
      expect(entries.filter((one) => !countersignPattern.test(one))).toEqual([]);
    });

    it('the search finds no personal data in the summaries of timers and activities, or in the details of workflows', async () => {
      const connection = await Connection.connect({ address: getTestStack().stack.addresses.temporal });
      const client = new Client({ connection });
      const { addresses, dataDir } = getTestStack().stack;
      const pool = openPool(addresses.postgres, createLogger('test', 'silent'), 1);
      const codec = openStackConverter(dataDir, pool).payloadCodecs?.[0];
      const summaries: string[] = [];
      for await (const { workflowId } of client.workflow.list({ pageSize: 50 })) {
        const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
        for (const event of events ?? []) {
          const { summary, details } = event.userMetadata ?? {};
          const payloads = [summary, details].flatMap((payload) => (payload ? [payload] : []));
          for (const { data } of (await codec?.decode(payloads)) ?? [])
            summaries.push(Buffer.from(data ?? []).toString());
        }
        if (summaries.length > 200) break;
      }
      await pool.end();
      await connection.close();
      expect(summaries.length).toBeGreaterThan(10);
      expect(findPersonalData(summaries.join('\n'))).toEqual([]);
    });
  });
}
