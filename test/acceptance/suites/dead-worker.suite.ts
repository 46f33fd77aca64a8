import { captureKinds } from '../../../domain/biometrics/biometrics';
import type { TransactionState } from '../../../domain/transactions/state';
import { createLogger } from '../../../platform/logger';
import { openPool } from '../../../platform/postgres/postgres';
import { findState, saveState } from '../../../store/transactions/transactions.sql';
import { openStackKeys } from '../../support/stack-keys';
import { LinkBrowser } from '../../api/biometrics/link/link-browser';
import { noiseImage } from '../../images/test-images';
import { retryWhileUnavailable } from '../support/retry-while-unavailable';
import type { GetTestStack } from '../support/test-stack';
import { createLink } from '../support/biometrics-link';
import { waitUntil } from '../../support/wait-until';

/**
 * A worker died after it had saved a change, and before Temporal knew the change. So the record is ahead of the workflow. The workflow then
 * continues from the record.
 */
export function describeDeadWorker(getTestStack: GetTestStack): void {
  describe('the record that a dead worker has saved', () => {
    /** Saves the next version of the record, which the workflow does not know. Repeats this if the workflow saves a change meanwhile. */
    async function changeRecord(path: string, change: (state: TransactionState) => TransactionState): Promise<void> {
      const { stack } = getTestStack();
      const pool = openPool(stack.addresses.postgres, createLogger('test', 'silent'), 1);
      try {
        const keys = openStackKeys(stack.dataDir, pool);
        await waitUntil(async () => {
          const state = await findState(pool, keys, { tenant: 'local', id: path.split('/').at(-1) ?? '' });
          if (!state) throw new Error('There is no record.');
          const changed = { ...state, version: state.version + 1, changedAt: new Date().toISOString() };
          return (await saveState(pool, keys, change(changed), state.version)).saved;
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

    it('the person continues on the hosted page, and the reviewer finds the images', async () => {
      const { api, stack } = getTestStack();
      const { path, link } = await createLink(getTestStack);
      const browser = new LinkBrowser(stack.addresses.api + new URL(link.url).pathname);
      // The page repeats a request that gets 503, such as one that meets the change between two workflow runs.
      const post = (action: string) => retryWhileUnavailable(() => browser.post(action));
      await browser.readSession();
      expect((await post('/open')).status).toBe(200);
      await changeRecord(path, (state) => withChangedLink(state, { consentedAt: now() }));
      expect((await post('/consent')).status).toBe(200);
      const image = await noiseImage(480, 360);
      for (const kind of captureKinds)
        expect((await retryWhileUnavailable(() => browser.upload(kind, image))).status).toBe(200);
      await changeRecord(path, (state) => withChangedLink(state, { status: 'Processing', submittedAt: now() }));
      expect((await post('/submit')).body).toMatchObject({ status: 'Processing' });
      const decision = { status: 'Approved', reason: 'It is the same face.' };
      const decisionResponse = await api.post(`/v1/reviews/${link.id}/decision`, { body: decision });
      expect(decisionResponse.body).toMatchObject({ status: 'Approved' });
    });

    it('a code that was validated in the record is used, and later changes continue from the record', async () => {
      const { api, inbox } = getTestStack();
      const { path, phone } = await createLink(getTestStack);
      await api.post(`${path}/sms/tokens`);
      const value = await inbox.waitForCode(phone, 'sms');
      await changeRecord(path, (state) => ({
        ...state,
        confirmations: state.confirmations.map((one) => ({ ...one, status: 'Valid', outcome: 'yes' })),
      }));
      // On a busy machine, the look at the record can take longer than a read waits for it. The workflow then answers alone.
      await waitUntil(async () => (await api.getAll(path)).smsToken?.status === 'Valid');
      // A command that meets the change between two workflow runs gets 503, and changes nothing.
      const validateResponse = await retryWhileUnavailable(() =>
        api.post(`${path}/sms/tokens/validate`, { body: { value } }),
      );
      expect(validateResponse.body).toMatchObject({ status: 'Used' });
      const emailResponse = await api.post(`${path}/emails/tokens`);
      expect(emailResponse.body).toMatchObject({ status: 'Waiting' });
      expect((await api.getAll(path)).smsToken).toMatchObject({ status: 'Valid' });
      expect((await api.get(`${path}/emails/tokens`)).body).toEqual(emailResponse.body);
    });
  });
}
