import { Client, Connection } from '@temporalio/client';
import { createLogger } from '../../../platform/logger';
import { openPool } from '../../../platform/postgres/postgres';
import { DataErasedError } from '../../../platform/keys/data-keys';
import { transactionWorkflowId } from '../../../workflows/contract/ids';
import { openStackConverter } from '../../support/stack-keys';
import { waitUntil } from '../../support/wait-until';
import type { ApiResponse } from '../support/api-response';
import { createLink } from '../support/biometrics-link';
import { expectProblem } from '../support/expect-problem';
import { newPerson } from '../support/new-person';
import type { GetTestStack } from '../support/test-stack';

interface Export {
  transactions: { id: string; input: object; messages: object[]; confirmations: object[]; audit: object[] }[];
  next?: string;
}

const idOf = (path: string) => path.split('/').at(-1) ?? '';

/** Erasure and export of personal data. */
export function describeErasure(getTestStack: GetTestStack): void {
  describe('personal data', () => {
    const api = () => getTestStack().api;
    const erase = (path: string, token?: string) => api().request('DELETE', path, token === undefined ? {} : { token });
    const exportPerson = async (document: string, body: object = {}) =>
      (await api().post('/v1/privacy/export', { body: { documentType: 'CPF', document, ...body } })).body as Export;

    /** Also sends a code to the person. */
    async function createTransaction(person = newPerson()) {
      const path = await api().createTransaction(person.body);
      expect((await api().post(`${path}/sms/tokens`)).status).toBe(201);
      return { path, person };
    }

    const expectErased = (response: ApiResponse) => expectProblem(response, 410, 'erased');

    it('an export has all personal data of a person, and another tenant gets none of it', async () => {
      const { path, person } = await createTransaction();
      const second = await api().createTransaction(person.body);
      const { document } = person.body;
      const { transactions } = await exportPerson(document);
      expect(transactions.map(({ id }) => id)).toEqual([idOf(path), idOf(second)]);
      expect(transactions[0]).toMatchObject({
        input: { name: person.body.name, email: person.email },
        confirmations: [{ name: 'sms-token', channel: 'sms' }],
        messages: [{ channel: 'sms', kind: 'token', state: 'accepted' }],
        audit: [{ action: 'data_exported' }],
      });
      const firstPage = await exportPerson(document, { limit: 1 });
      const secondPage = await exportPerson(document, { limit: 1, after: firstPage.next });
      expect([firstPage, secondPage].map((page) => page.transactions.map(({ id }) => id))).toEqual([
        [idOf(path)],
        [idOf(second)],
      ]);
      expect(secondPage).not.toHaveProperty('next');
      const body = { documentType: 'CPF', document };
      for (const limit of [0, 101, 1.5, '5'])
        expect((await api().post('/v1/privacy/export', { body: { ...body, limit } })).body).toMatchObject({
          code: 'validation_failed',
          errors: { limit: ['must be a whole number from 1 to 100'] },
        });
      const token = await getTestStack().stack.token('other');
      expect((await api().post('/v1/privacy/export', { body, token })).body).toMatchObject({ transactions: [] });
    });

    it('after an erasure, every read and write of the transaction returns 410', async () => {
      const key = `create-${newPerson().email}`;
      const person = newPerson();
      const created = await api().post('/v1/transaction', { body: person.body, key });
      const path = `/v1/transaction/${(created.body as { id: string }).id}`;
      await api().post(`${path}/sms/tokens`);
      const erasure = await erase(path);
      expect(erasure).toMatchObject({ status: 200, body: { transactionId: idOf(path) } });
      for (const read of ['', '/all', '/scores', '/sms/2fa', '/emails/tokens'])
        expectErased(await api().get(`${path}${read}`));
      expectErased(await api().post(`${path}/sms/tokens`));
      expectErased(await api().post(`${path}/sms/tokens/validate`, { body: { value: '123456' } }));
      expectErased(await api().post(`${path}/biometrics`, { body: {} }));
      expectErased(await api().post('/v1/transaction', { body: person.body, key }));
      expect(await erase(path)).toMatchObject({ status: 200, body: erasure.body as object });
      expect((await exportPerson(person.body.document)).transactions).toEqual([]);
    });

    it('an unknown transaction, or a transaction of another tenant, cannot be erased', async () => {
      const { path } = await createTransaction();
      expectProblem(await erase(path, await getTestStack().stack.token('other')), 404, 'transaction_not_found');
      expectProblem(await erase('/v1/transaction/0190a6f0-0000-7000-8000-000000000000'), 404, 'transaction_not_found');
      expect((await api().get(path)).status).toBe(200);
    });

    it('data in the history of the workflow cannot be decrypted after the erasure, and the workflow has ended', async () => {
      const { path } = await createTransaction();
      const { addresses, dataDir } = getTestStack().stack;
      const workflowId = transactionWorkflowId('local', idOf(path));
      const connection = await Connection.connect({ address: addresses.temporal });
      const pool = openPool(addresses.postgres, createLogger('test', 'silent'), 1);
      try {
        const handle = new Client({ connection }).workflow.getHandle(workflowId);
        const { events } = await handle.fetchHistory();
        const payloads = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
        const decode = async () =>
          (await openStackConverter(dataDir, pool).payloadCodecs?.[0]?.decode(payloads))?.map(({ data }) =>
            Buffer.from(data ?? []).toString(),
          );
        expect((await decode())?.[0]).toContain('Joana Prado Quintela');
        await erase(path);
        await expect(decode()).rejects.toThrow(DataErasedError);
        expect((await handle.describe()).status.name).toBe('TERMINATED');
      } finally {
        await pool.end();
        await connection.close();
      }
    });

    it('one request with a document erases all data of its person, and the biometrics link then returns 404', async () => {
      const link = await createLink(getTestStack);
      const { document } = link.body;
      const other = await api().createTransaction(link.body);
      const response = await api().post('/v1/privacy/erasure', { body: { documentType: 'CPF', document } });
      const { erased, complete } = response.body as { erased: { transactionId: string }[]; complete: boolean };
      expect([erased.map(({ transactionId }) => transactionId), complete]).toEqual([
        [link.path, other].map(idOf),
        true,
      ]);
      expect((await fetch(link.link.url)).status).toBe(404);
      expectErased(await api().get(other));
    });

    it('the data of an erased transaction stays erased when a reply arrives late', async () => {
      const person = newPerson();
      const { path } = await createTransaction(person);
      await api().post(`${path}/sms/2fa`);
      const { inbox } = getTestStack();
      const message = await inbox.waitForNewest(person.phone, 'sms');
      await erase(path);
      await inbox.reply(message.id, { text: 'SIM' });
      const pool = openPool(getTestStack().stack.addresses.postgres, createLogger('test', 'silent'), 1);
      const waiting = async () =>
        (await pool.query("select from provider_events where kind = 'inbound' and done_at is null")).rowCount;
      await waitUntil(async () => (await waiting()) === 0);
      await pool.end();
      expectErased(await api().get(path));
    });
  });
}
