import { setTimeout as pause } from 'node:timers/promises';
import type { GetTestStack } from '../support/test-stack';
import { retryWhileUnavailable } from '../support/retry-while-unavailable';
import { newPerson } from '../support/new-person';
import { changeServiceKey } from '../support/change-service-key';
import { waitUntil } from '../../support/wait-until';

/** Longer than the service needs to accept a reply. */
const replyMs = 1_500;

/** Open work must continue after the stack stops and starts again with another service key. */
export function describeRestart(getTestStack: GetTestStack): void {
  describe('a stack that stops and starts again with another service key', () => {
    const [waitingPerson, expiringPerson, replyingPerson] = [newPerson(), newPerson(), newPerson()];
    const paths = { waiting: '', expiring: '', replying: '' };

    beforeAll(async () => {
      const { api, inbox } = getTestStack();
      paths.waiting = await api.createTransaction(waitingPerson.body);
      paths.expiring = await api.createTransaction(expiringPerson.body);
      paths.replying = await api.createTransaction(replyingPerson.body);
      await api.post(`${paths.waiting}/sms/tokens`);
      await api.post(`${paths.replying}/sms/2fa`);
      const { body } = await api.post(`${paths.expiring}/emails/tokens`);
      await Promise.all([
        inbox.waitForNewest(replyingPerson.phone, 'sms'),
        inbox.waitForNewest(expiringPerson.email, 'email'),
      ]);
      expect((await api.get(`${paths.expiring}/emails/tokens`)).body).toMatchObject({ status: 'Waiting' });
      const expiry = Date.parse((body as { expirationTime: string }).expirationTime);
      await getTestStack().restart(async () => {
        // The token must expire while the stack is stopped.
        expect(Date.now()).toBeLessThan(expiry);
        await pause(expiry - Date.now() + 100);
        changeServiceKey(getTestStack().stack.dataDir);
      });
    });

    it('a code that was sent before the stop is accepted after the start', async () => {
      const { api, inbox } = getTestStack();
      const value = await inbox.waitForCode(waitingPerson.phone, 'sms');
      const validate = () =>
        api.post(`${paths.waiting}/sms/tokens/validate`, { body: { value }, key: 'after-the-start' });
      const response = await retryWhileUnavailable(validate);
      expect(response).toMatchObject({ status: 200, body: { status: 'Valid' } });
      expect((await api.getAll(paths.waiting)).transaction.phone?.verified).toBe(true);
    });

    it('a token that expired while the stack was stopped returns Expired', async () => {
      const { api, inbox } = getTestStack();
      expect((await api.get(`${paths.expiring}/emails/tokens`)).body).toMatchObject({ status: 'Expired' });
      const value = await inbox.waitForCode(expiringPerson.email, 'email');
      const response = await retryWhileUnavailable(() =>
        api.post(`${paths.expiring}/emails/tokens/validate`, { body: { value } }),
      );
      expect(response).toMatchObject({ status: 200, body: { status: 'Expired' } });
      expect((await api.getAll(paths.expiring)).transaction.verifiedEmail).toBe(false);
      const linkResponse = await fetch(await inbox.waitForLink(expiringPerson.email), {
        method: 'POST',
        body: new URLSearchParams({ action: 'confirm' }),
      });
      expect(linkResponse.status).toBe(410);
      expect((await api.get(`${paths.expiring}/emails/tokens`)).body).toMatchObject({ status: 'Expired' });
    });

    it('a reply is ignored after its question has expired', async () => {
      const { api, inbox } = getTestStack();
      const readNewest = async () => ((await api.get(`${paths.replying}/sms/2fa`)).body as { status: string }[])[0];
      await waitUntil(async () => (await readNewest())?.status === 'Expired');
      const before = [await api.get(`${paths.replying}/sms/2fa`), await api.get(`${paths.replying}/all`)];
      await inbox.reply((await inbox.waitForNewest(replyingPerson.phone, 'sms')).id, { text: 'SIM' });
      await pause(replyMs);
      const after = [await api.get(`${paths.replying}/sms/2fa`), await api.get(`${paths.replying}/all`)];
      expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
    });

    it('a reply is accepted while its question is open', async () => {
      const { api, inbox } = getTestStack();
      const person = newPerson();
      const path = await api.createTransaction(person.body);
      await api.post(`${path}/sms/2fa`);
      await inbox.reply((await inbox.waitForNewest(person.phone, 'sms')).id, { text: 'SIM' });
      await pause(replyMs);
      const [newest] = (await api.get(`${path}/sms/2fa`)).body as { status: string }[];
      expect(newest).toMatchObject({ status: 'Replied', text: 'SIM' });
    });
  });
}
