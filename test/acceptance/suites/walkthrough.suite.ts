import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GetTestStack } from '../support/test-stack';
import type { AllBody } from '../support/api-client';
import { expectStatusLog } from '../support/expect-status-log';
import { newPerson, differentCode } from '../support/new-person';
import { waitUntil } from '../../support/wait-until';

type StatusLog = { status: string; text: string; reply?: { option: number; repliedAt: string } }[];

const reasons = ({ scores }: AllBody) => scores.map(({ reason }) => reason);
const codes = ({ insights }: AllBody) => insights.map(({ code }) => code);

/** No log may contain data of this person. */
export const walkthroughPerson = newPerson();
export const walkthroughCodes: string[] = [];

/** Each test continues from the test before it. */
export function describeWalkthrough(getTestStack: GetTestStack): void {
  describe('a new caller', () => {
    const { phone, email } = walkthroughPerson;
    let path = '';
    let code = '';
    const api = () => getTestStack().api;
    const inbox = () => getTestStack().inbox;
    const readAll = () => api().getAll(path);
    const validate = (value: string) => api().post(`${path}/sms/tokens/validate`, { body: { value } });
    const waitForStatus = (list: string, status: string) =>
      waitUntil(async () => {
        const [newest] = (await api().get(`${path}/${list}`)).body as StatusLog;
        return newest?.status === status && newest;
      });

    it('a new caller gets an access token for a client id and its secret', async () => {
      const secrets = readFileSync(join(getTestStack().stack.dataDir, 'secrets.json'), 'utf8');
      const [client] = (JSON.parse(secrets) as { clients: { clientId: string; clientSecret: string }[] }).clients;
      const basic = Buffer.from(`${client?.clientId}:${client?.clientSecret}`).toString('base64');
      const response = await api().post('/oauth2/token', {
        rawBody: 'grant_type=client_credentials',
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect(response).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 7_200 } });
      const { access_token: token } = response.body as { access_token: string };
      expect((await api().get('/v1/transaction/0190a6f0-0000-7000-8000-000000000000', { token })).status).toBe(404);
      const password = { Username: client?.clientId, Password: client?.clientSecret };
      const passwordResponse = await api().post('/v1/authentication', { body: password, token: null });
      expect(passwordResponse).toMatchObject({ status: 200, body: { expiresInSeconds: 7_200 } });
    });

    it('a new caller creates a transaction and reads its first score', async () => {
      path = await api().createTransaction(walkthroughPerson.body);
      const allBody = await readAll();
      expect(reasons(allBody)).toEqual(['Initial']);
      expect(allBody.transaction).toMatchObject({ document: walkthroughPerson.body.document, verifiedEmail: false });
      expect(allBody.transaction.phone).not.toHaveProperty('verified');
      expect(allBody).not.toHaveProperty('smsToken');
    });

    it('a new caller sends a code to the phone', async () => {
      expect(await api().post(`${path}/sms/tokens`)).toMatchObject({ status: 201, body: { status: 'Waiting' } });
      expect((await readAll()).smsToken).toMatchObject({ status: 'Waiting' });
      code = await inbox().waitForCode(phone, 'sms');
      walkthroughCodes.push(code);
    });

    it('a new caller validates a wrong code, the right code, and the right code again', async () => {
      const wrongResponse = await validate(differentCode(code));
      expect(wrongResponse).toMatchObject({ status: 200, body: { status: 'Invalid' } });
      expect(wrongResponse.headers.get('x-attempts-remaining')).toBe('4');
      expect((await readAll()).smsToken).toMatchObject({ status: 'Waiting' });

      const rightResponse = await validate(`${code.slice(0, 3)} ${code.slice(3)}`);
      expect(rightResponse).toMatchObject({ status: 200, body: { status: 'Valid' } });
      const confirmedBody = await readAll();
      expect(confirmedBody.smsToken).toMatchObject({
        status: 'Valid',
        repliedAt: expect.stringMatching(/Z$/) as string,
      });
      expect(confirmedBody.transaction.phone?.verified).toBe(true);
      expect(reasons(confirmedBody)).toEqual(['Initial', 'PhoneChecked']);
      expect(confirmedBody.scores[1]?.value).toBeGreaterThan(confirmedBody.scores[0]?.value ?? 100);
      expect(codes(confirmedBody)).toContain('CF001');

      expect(await validate(code)).toMatchObject({ status: 200, body: { status: 'Used' } });
      expect(await readAll()).toEqual(confirmedBody);
    });

    it('a new caller sees which button the person pressed on WhatsApp', async () => {
      expect((await api().get(`${path}/whatsapps/2fa`)).status).toBe(204);
      expect((await api().post(`${path}/whatsapps/2fa`)).status).toBe(201);
      const question = await inbox().waitForNewest(phone, 'whatsapp');
      expect(question.buttons?.map(({ title }) => title)).toEqual(['SIM', 'NÃO']);
      await inbox().markAsRead(question.id);
      await waitForStatus('whatsapps/2fa', 'Read');
      await inbox().reply(question.id, { button: 1 });
      expect(await waitForStatus('whatsapps/2fa', 'Replied')).toMatchObject({
        text: 'SIM',
        reply: { option: 1 },
        sendLimit: 0,
      });
      const { body: log } = await api().get(`${path}/whatsapps/2fa`);
      expectStatusLog(log, ['Replied', 'Read', 'Sent', 'Waiting']);
      expect(reasons(await readAll())).toEqual(['Initial', 'PhoneChecked', 'WhatsappChecked']);
    });

    it('a new caller validates the code of an e-mail', async () => {
      expect(await api().get(`${path}/emails/tokens`)).toMatchObject({
        status: 404,
        body: { code: 'token_not_found' },
      });
      expect((await api().post(`${path}/emails/tokens`)).status).toBe(201);
      const value = await inbox().waitForCode(email, 'email');
      walkthroughCodes.push(value);
      const response = await api().post(`${path}/emails/tokens/validate`, { body: { value } });
      expect(response).toMatchObject({ status: 200, body: { status: 'Valid' } });
      expect((await api().get(`${path}/emails/tokens`)).body).toMatchObject({
        status: 'Valid',
        repliedAt: expect.any(String) as string,
      });
      const allBody = await readAll();
      expect(allBody.transaction.verifiedEmail).toBe(true);
      expect(reasons(allBody)).toEqual(['Initial', 'PhoneChecked', 'WhatsappChecked', 'EmailChecked']);
    });

    it('a new caller sees that the person denied the request by SMS, and that the score falls', async () => {
      expect((await api().post(`${path}/sms/2fa`)).status).toBe(201);
      await inbox().reply((await inbox().waitForNewest(phone, 'sms')).id, { text: 'Não' });
      expect(await waitForStatus('sms/2fa', 'Replied')).toMatchObject({ text: 'Não', type: 'Sms' });
      const allBody = await readAll();
      expect(codes(allBody)).toContain('CF003');
      expect(allBody.scores.at(-1)?.value).toBeLessThan(allBody.scores.at(-2)?.value ?? 0);
    });
  });
}
