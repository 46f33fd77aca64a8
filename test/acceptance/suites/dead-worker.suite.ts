import { captureKinds } from '../../../domain/biometrics/biometrics';
import type { TransactionState } from '../../../domain/state';
import { createLogger } from '../../../platform/logger';
import { openPool } from '../../../platform/postgres';
import { findState, saveState } from '../../../store/record/transactions.sql';
import { openStackKeys } from '../../support/stack-keys';
import { LinkBrowser } from '../../api/biometrics/link/link-browser';
import { noiseImage } from '../../platform/images/test-images';
import type { GetTestStack } from '../support/test-stack';
import { createLink } from '../support/biometrics-link';

/**
 * The worker died before Temporal received the result of the save. So the record has a change that the workflow does not know. Such a
 * record is called stale.
 */
export function describeDeadWorker(getTestStack: GetTestStack): void {
  describe('the stale record of a dead worker', () => {
    /** Saves the next version of the record, which the workflow does not know. */
    async function writeStaleRecord(
      path: string,
      change: (state: TransactionState) => TransactionState,
    ): Promise<void> {
      const { stack } = getTestStack();
      const pool = openPool(stack.addresses.postgres, createLogger('test', 'silent'), 1);
      try {
        const keys = openStackKeys(stack.dataDir, pool);
        const target = { tenant: 'local', id: path.split('/').at(-1) ?? '' };
        const state = await findState(pool, keys, target);
        if (!state) throw new Error('There is no record.');
        const changedAt = new Date().toISOString();
        const { rows } = await pool.query<{ runId: string }>(
          'select run_id as "runId" from transactions where tenant = $1 and id = $2',
          [target.tenant, target.id],
        );
        const runId = rows[0]?.runId ?? '';
        await saveState(pool, keys, change({ ...state, version: state.version + 1, changedAt }), {
          runId,
          savedVersion: state.version,
        });
      } finally {
        await pool.end();
      }
    }

    const withChangedLink = (state: TransactionState, change: object): TransactionState => ({
      ...state,
      biometrics: (state.biometrics ?? []).map((link) => ({ ...link, ...change })),
    });
    const now = () => new Date().toISOString();

    it.each([
      ['a consent', { consentedAt: now() }],
      ['a canceled link', { status: 'Canceled' }],
    ])('a stale record with %s does not block the link, and no acknowledged change is lost', async (_, linkChange) => {
      const { api, stack } = getTestStack();
      const { path, link } = await createLink(getTestStack);
      const browser = new LinkBrowser(stack.addresses.api + new URL(link.url).pathname);
      await browser.readSession();
      expect((await browser.post('/open')).status).toBe(200);
      await writeStaleRecord(path, (state) => withChangedLink(state, linkChange));
      expect((await browser.post('/consent')).status).toBe(200);
      const image = await noiseImage(480, 360);
      for (const kind of captureKinds) expect((await browser.upload(kind, image)).status).toBe(200);
      await writeStaleRecord(path, (state) => withChangedLink(state, { status: 'Processing', submittedAt: now() }));
      expect((await browser.post('/submit')).body).toMatchObject({ status: 'Processing' });
      // The review must find the submitted state, not the stale record.
      const decision = { status: 'Approved', reason: 'It is the same face.' };
      const decisionResponse = await api.post(`/v1/reviews/${link.id}/decision`, { body: decision });
      expect(decisionResponse.body).toMatchObject({ status: 'Approved' });
    });

    it('a stale record is overwritten by acknowledged changes', async () => {
      const { api, inbox } = getTestStack();
      const { path, phone } = await createLink(getTestStack);
      await writeStaleRecord(path, (state) => state);
      const response = await api.post(`${path}/sms/tokens`);
      expect((await api.getAll(path)).smsToken).toMatchObject(response.body as object);
      await writeStaleRecord(path, (state) => ({ ...state, confirmations: [] }));
      const value = await inbox.waitForCode(phone, 'sms');
      const validateResponse = await api.post(`${path}/sms/tokens/validate`, { body: { value } });
      expect(validateResponse.body).toMatchObject({ status: 'Valid' });
      expect((await api.getAll(path)).smsToken).toMatchObject({ status: 'Valid' });
    });
  });
}
