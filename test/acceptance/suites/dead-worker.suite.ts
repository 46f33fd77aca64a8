import { Client } from 'pg';
import { captureKinds } from '../../../domain/biometrics/biometrics';
import type { TransactionState } from '../../../domain/state';
import { LinkBrowser } from '../../api/biometrics/link/link-browser';
import { noise } from '../../platform/images/test-images';
import type { GetTestStack } from '../support/test-stack';
import { createLink } from '../support/biometrics-link';

/** The record is ahead of its transaction, because the worker died before Temporal received its result. */
export function describeDeadWorker(getTestStack: GetTestStack): void {
  describe('the stale record of a dead worker', () => {
    /** Overwrites the record with a state that never existed, as the next version. */
    async function leave(path: string, change: (state: TransactionState) => TransactionState): Promise<void> {
      const client = new Client({ connectionString: getTestStack().stack.addresses.postgres });
      await client.connect();
      try {
        const id = path.split('/').at(-1);
        const found = await client.query<{ state: TransactionState }>('select state from transactions where id = $1', [
          id,
        ]);
        const state = found.rows[0]?.state as TransactionState;
        const changedAt = new Date().toISOString();
        const never = change({ ...state, version: state.version + 1, changedAt });
        const sql = 'update transactions set version = $2, changed_at = $3, state = $4 where id = $1';
        await client.query(sql, [id, never.version, changedAt, JSON.stringify(never)]);
      } finally {
        await client.end();
      }
    }

    const withLink = (state: TransactionState, change: object): TransactionState => ({
      ...state,
      biometrics: (state.biometrics ?? []).map((link) => ({ ...link, ...change })),
    });
    const now = () => new Date().toISOString();

    it.each([
      ['done', { consentedAt: now() }],
      ['over', { status: 'Canceled' }],
    ])('does not block a step that it reports as %s, and keeps every acknowledged change', async (_, reportedStep) => {
      const { api, stack } = getTestStack();
      const { path, link } = await createLink(getTestStack);
      const browser = new LinkBrowser(stack.addresses.api + new URL(link.url).pathname);
      await browser.session();
      expect((await browser.post('/open')).status).toBe(200);
      await leave(path, (state) => withLink(state, reportedStep));
      expect((await browser.post('/consent')).status).toBe(200);
      const image = await noise(480, 360);
      for (const kind of captureKinds) expect((await browser.upload(kind, image)).status).toBe(200);
      await leave(path, (state) => withLink(state, { status: 'Processing', submittedAt: now() }));
      expect((await browser.post('/submit')).body).toMatchObject({ status: 'Processing' });
      // The review finds the stale state unless the record was overwritten.
      const decision = { status: 'Approved', reason: 'It is the same face.' };
      const decided = await api.post(`/v1/reviews/${link.id}/decision`, { body: decision });
      expect(decided.body).toMatchObject({ status: 'Approved' });
    });

    it('is overwritten by acknowledged changes', async () => {
      const { api, inbox } = getTestStack();
      const { path, phone } = await createLink(getTestStack);
      await leave(path, (state) => state);
      const response = await api.post(`${path}/sms/tokens`);
      expect((await api.all(path)).smsToken).toMatchObject(response.body as object);
      await leave(path, (state) => ({ ...state, confirmations: [] }));
      const value = await inbox.code(phone, 'sms');
      const answer = await api.post(`${path}/sms/tokens/validate`, { body: { value } });
      expect(answer.body).toMatchObject({ status: 'Valid' });
      expect((await api.all(path)).smsToken).toMatchObject({ status: 'Valid' });
    });
  });
}
