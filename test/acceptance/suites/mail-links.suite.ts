import type { GetTestStack } from '../support/test-stack';
import { newPerson } from '../support/new-person';
import { reverseText } from '../support/reverse-text';

/** `action`: the value of the pressed button. */
const press = async (link: string, action: string) => {
  const response = await fetch(link, { method: 'POST', body: new URLSearchParams({ action }) });
  return { status: response.status, text: await response.text() };
};

/** The hosted pages of e-mails, without a browser. */
export function describeMailLinks(getTestStack: GetTestStack): void {
  describe('a link in an e-mail', () => {
    const createTransaction = async () => {
      const person = newPerson();
      return { ...person, path: await getTestStack().api.createTransaction(person.body) };
    };

    it('a link in an e-mail confirms the address only when the person presses the button of the page', async () => {
      const { api, inbox } = getTestStack();
      const { path, email } = await createTransaction();
      await api.post(`${path}/emails/tokens`);
      const link = await inbox.waitForLink(email);
      const response = await fetch(link);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('value="confirm"');
      expect((await fetch(link, { method: 'HEAD' })).status).toBe(200);
      expect((await api.get(`${path}/emails/tokens`)).body).toMatchObject({ status: 'Waiting' });

      expect(await press(link, 'confirm')).toMatchObject({ status: 200 });
      expect((await api.get(`${path}/emails/tokens`)).body).toMatchObject({ status: 'Valid' });
      expect((await api.getAll(path)).transaction.verifiedEmail).toBe(true);
      expect((await press(link, 'deny')).status).toBe(200);
      expect((await api.get(`${path}/emails/tokens`)).body).toMatchObject({ status: 'Valid' });
    });

    it('the link that can only deny never confirms a request, and records a denial even after the code was used', async () => {
      const { api, inbox } = getTestStack();
      const { path, email } = await createTransaction();
      await api.post(`${path}/emails/tokens`);
      const link = await inbox.waitForLink(email, 'deny');
      expect(await (await fetch(link)).text()).not.toContain('value="confirm"');
      await press(link, 'confirm');
      expect((await api.get(`${path}/emails/tokens`)).body).toMatchObject({ status: 'Waiting' });

      const value = await inbox.waitForCode(email, 'email');
      await api.post(`${path}/emails/tokens/validate`, { body: { value } });
      expect(await press(link, 'deny')).toMatchObject({ status: 200 });
      expect((await api.get(`${path}/emails/tokens`)).body).toMatchObject({ status: 'Valid' });
      expect((await api.getAll(path)).insights.map(({ code }) => code)).toContain('CF003');
    });

    it('the person can deny a second factor by the link in the e-mail', async () => {
      const { api, inbox } = getTestStack();
      const { path, email } = await createTransaction();
      expect(await api.post(`${path}/emails/2fa`)).toMatchObject({ status: 201, body: { status: 'Sent' } });
      expect(await press(await inbox.waitForLink(email), '2')).toMatchObject({ status: 200 });
      const { body } = await api.get(`${path}/emails/2fa`);
      expect(body).toMatchObject([
        { status: 'Replied', text: 'NÃO' },
        { status: 'Sent', text: expect.stringMatching(/\w/) as string },
      ]);
      const allBody = await api.getAll(path);
      expect(allBody.insights.map(({ code }) => code)).toContain('CF003');
      expect(allBody.transaction.verifiedEmail).toBe(false);
    });

    it('a token is blocked when the person denies the request by the link in the e-mail', async () => {
      const { api, inbox } = getTestStack();
      const { path, email } = await createTransaction();
      await api.post(`${path}/emails/tokens`);
      const value = await inbox.waitForCode(email, 'email');
      await press(await inbox.waitForLink(email, 'deny'), 'deny');
      expect((await api.post(`${path}/emails/tokens/validate`, { body: { value } })).body).toMatchObject({
        status: 'Blocked',
      });
    });

    it('an altered link in an e-mail returns 404', async () => {
      const { api, inbox } = getTestStack();
      const { path, email } = await createTransaction();
      await api.post(`${path}/emails/2fa`);
      const link = await inbox.waitForLink(email);
      const dot = link.lastIndexOf('.');
      const linkWithOtherSignature = `${link.slice(0, dot + 1)}${reverseText(link.slice(dot + 1))}`;
      for (const wrongLink of [linkWithOtherSignature, link.slice(0, -4), `${link}x`, link.slice(0, dot)])
        expect((await press(wrongLink, 'confirm')).status).toBe(404);
      expect((await api.get(`${path}/emails/2fa`)).body).toMatchObject([{ status: 'Sent' }]);
    });
  });
}
