import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { transactionWorkflowId } from '../../../workflows/contract/ids';
import { newPerson } from '../support/new-person';
import { retryWhileUnavailable } from '../support/retry-while-unavailable';
import type { GetTestStack } from '../support/test-stack';
import { waitUntil } from '../../support/wait-until';

type ResetReapplyType = temporal.api.enums.v1.ResetReapplyType;
const { RESET_REAPPLY_TYPE_ALL_ELIGIBLE, RESET_REAPPLY_TYPE_NONE } = temporal.api.enums.v1.ResetReapplyType;

/**
 * "Reset" in the Temporal UI takes the workflow back to an earlier point of its history. Temporal then repeats the updates (the commands)
 * after this point, or drops them.
 */
export function describeReset(getTestStack: GetTestStack): void {
  describe('a workflow that was reset by an operator', () => {
    let connection: Connection;
    beforeAll(async () => {
      connection = await Connection.connect({ address: getTestStack().stack.addresses.temporal });
    });
    afterAll(() => connection.close());

    const createTransaction = async () => {
      const { api } = getTestStack();
      const person = newPerson();
      const path = await api.createTransaction(person.body);
      await api.getAll(path);
      const id = path.split('/').at(-1) ?? '';
      return {
        person,
        path,
        handle: new Client({ connection }).workflow.getHandle(transactionWorkflowId('local', id)),
      };
    };
    type EventId = temporal.api.history.v1.IHistoryEvent['eventId'];
    type Handle = Awaited<ReturnType<typeof createTransaction>>['handle'];

    /** Returns the workflow run that begins with the reset. */
    async function reset({ workflowId }: Handle, eventId: EventId, resetReapplyType: ResetReapplyType) {
      const { runId } = await connection.workflowService.resetWorkflowExecution({
        namespace: 'default',
        workflowExecution: { workflowId },
        workflowTaskFinishEventId: eventId ?? null,
        requestId: randomUUID(),
        reason: 'test',
        resetReapplyType,
      });
      return new Client({ connection }).workflow.getHandle(workflowId, runId ?? '');
    }

    /** The event id of the last completed workflow task, to which a reset can go back. */
    const lastTaskOf = async (handle: Handle): Promise<EventId> => {
      const { events } = await handle.fetchHistory();
      return events?.findLast((event) => event.workflowTaskCompletedEventAttributes)?.eventId;
    };

    it('a reset workflow that repeats the commands after the reset point continues from the record, and every acknowledged result remains', async () => {
      const { api, inbox } = getTestStack();
      const { person, path, handle } = await createTransaction();
      const eventId = await lastTaskOf(handle);
      await api.post(`${path}/sms/tokens`);
      const value = await inbox.waitForCode(person.phone, 'sms');
      const validate = () => api.post(`${path}/sms/tokens/validate`, { body: { value } });
      expect((await validate()).body).toMatchObject({ status: 'Valid' });
      const before = await api.get(`${path}/all`);
      const resetRun = await reset(handle, eventId, RESET_REAPPLY_TYPE_ALL_ELIGIBLE);
      await waitUntil(async () => (await resetRun.describe()).status.name === 'CONTINUED_AS_NEW');
      expect((await api.get(`${path}/all`)).text).toBe(before.text);
      // The code was used before the reset.
      expect((await retryWhileUnavailable(validate)).body).not.toMatchObject({ status: 'Valid' });
      expect((await api.getAll(path)).transaction.phone?.verified).toBe(true);
    });

    it('a reset workflow that lost the commands after the reset point continues from the record', async () => {
      const { api, inbox } = getTestStack();
      const { person, path, handle } = await createTransaction();
      await api.post(`${path}/sms/tokens`);
      const value = await inbox.waitForCode(person.phone, 'sms');
      const eventId = await lastTaskOf(handle);
      const validate = () => api.post(`${path}/sms/tokens/validate`, { body: { value } });
      expect((await validate()).body).toMatchObject({ status: 'Valid' });
      await reset(handle, eventId, RESET_REAPPLY_TYPE_NONE);
      // If the workflow did not continue from the record, it would accept the used code again.
      expect((await retryWhileUnavailable(validate)).body).not.toMatchObject({ status: 'Valid' });
      expect((await api.getAll(path)).transaction.phone?.verified).toBe(true);
    });

    it('a reset workflow continues from the record before its first change, even if this change saves several versions of the record', async () => {
      const { api, inbox } = getTestStack();
      const { person, path, handle } = await createTransaction();
      await api.post(`${path}/sms/tokens`);
      const value = await inbox.waitForCode(person.phone, 'sms');
      const validate = () => api.post(`${path}/sms/tokens/validate`, { body: { value } });
      expect((await validate()).body).toMatchObject({ status: 'Valid' });
      await reset(handle, await lastTaskOf(handle), RESET_REAPPLY_TYPE_NONE);
      // Without the version in each save, the reset workflow would replace the record with an older state.
      const sent = await retryWhileUnavailable(() => api.post(`${path}/emails/tokens`));
      expect(sent.status).toBe(201);
      expect((await retryWhileUnavailable(validate)).body).toMatchObject({ status: 'Used' });
      expect((await api.getAll(path)).transaction.phone?.verified).toBe(true);
    });
  });
}
