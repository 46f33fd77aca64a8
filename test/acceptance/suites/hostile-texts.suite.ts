import type { InboxMessage } from '../support/inbox-client';
import { newPerson } from '../support/new-person';
import type { GetTestStack } from '../support/test-stack';

/** Markup, templates, a command and a link, which the service must never interpret. */
const hostile = `<img src=x onerror=alert(1)> {{code}} {{brand}} <%= it.code %> \${7*7} \`id\` [x](http://evil.test)`;

/** The message without code and token of the link, which differ in every message. */
const comparable = ({ subject, text, html }: InboxMessage) =>
  [subject, text, html].map((part) => part?.replace(/\b\d{6}\b/g, 'CODE').replace(/(\/confirm\/)[\w.-]+/g, '$1TOKEN'));

/** Texts of the caller that look like markup, headers or templates. */
export function describeHostileTexts(getTestStack: GetTestStack): void {
  describe('hostile texts of a caller', () => {
    const sendMessages = async (changes: object, email: string, phone: string) => {
      const { api, inbox } = getTestStack();
      const path = await api.createTransaction({ ...newPerson().body, ...changes });
      for (const endpoint of ['sms/tokens', 'emails/tokens', 'emails/2fa'])
        expect((await api.post(`${path}/${endpoint}`)).status).toBe(201);
      return [await inbox.readMessages(phone), await inbox.readMessages(email)].map((messages) =>
        messages.map(comparable),
      );
    };

    it('hostile texts change no message, and add no recipient', async () => {
      const [plain, attacker] = [newPerson(), newPerson()];
      const { phone } = attacker.body;
      const email = `a'{{code}}%0d%0abcc=x\${1}!${attacker.email}`;
      const changes = {
        phone,
        email,
        name: hostile,
        genericFields: { [hostile]: hostile, subject: 'x', bcc: 'evil@example.org', locale: `${hostile}pt-BR` },
      };
      const received = await sendMessages(changes, email, attacker.phone);
      expect(received.map((messages) => messages.length)).toEqual([1, 2]);
      const { phone: plainPhone, email: plainEmail } = plain.body;
      expect(received).toEqual(await sendMessages({ phone: plainPhone, email: plainEmail }, plain.email, plain.phone));
      expect(await getTestStack().inbox.readMessages('evil@example.org')).toEqual([]);
    });
  });
}
