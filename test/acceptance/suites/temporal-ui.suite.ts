import type { Browser, Frame, Page } from 'playwright-core';
import { openBrowser } from '../../support/browser';
import type { GetTestStack } from '../support/test-stack';
import { newPerson } from '../support/new-person';
import { waitUntil } from '../../support/wait-until';

/** What operators read, in a real browser. */
export function describeTemporalUi(getTestStack: GetTestStack): void {
  describe('the Temporal UI', () => {
    const person = newPerson();
    let browser: Browser;
    let page: Page;
    let address: string;

    beforeAll(async () => {
      const { api, inbox, stack } = getTestStack();
      const path = await api.createTransaction(person.body);
      await api.post(`${path}/sms/tokens`);
      await inbox.planFailures({ channel: 'email', kind: 'status', status: 550 });
      expect((await api.post(`${path}/emails/tokens`)).status).toBe(422);
      await inbox.clearFailures();
      const workflowId = `transaction/local/${path.split('/').at(-1)}`;
      address = `${stack.addresses.temporalUi}/namespaces/default/workflows/${encodeURIComponent(workflowId)}`;
      browser = await openBrowser();
    });
    afterAll(() => browser.close());
    beforeEach(async () => {
      page = await browser.newPage({ viewport: { width: 1_400, height: 1_200 } });
    });
    afterEach(() => page.close());

    it('the Temporal UI shows the input, the summaries of timers and the message of an error in clear text', async () => {
      await page.goto(address);
      await page.getByText(`"${person.body.name}"`).first().waitFor();
      await page.getByText('sms-token expires').first().waitFor();
      await page.getByText('Activity Task Failed').first().click();
      await page.getByText('"message": "The provider cannot reach this phone or mailbox."').first().waitFor();
    });

    it('the Temporal UI shows the panel of the transaction and the summary of its workflow in clear text', async () => {
      await page.goto(address);
      await page.getByText('User Metadata').click();
      // While the UI loads, it removes frames, which then cannot be read.
      const readFrame = (frame: Frame) =>
        frame
          .locator('body')
          .innerText()
          .catch(() => '');
      const readFrames = async () => (await Promise.all(page.frames().map(readFrame))).join('\n');
      // The panel is in a frame.
      const text = await waitUntil(async () => {
        const shown = await readFrames();
        return shown.includes('attempts 0 of 15') && shown;
      }, 30_000);
      expect(text).toContain('verify a person for local');
      expect(text).toContain('sms-token: Waiting, 1 of 3 sent');
    });

    it('the Temporal UI does not show the name of the person without the codec server', async () => {
      await page.route('**/v1/codec/decode', (route) => route.abort());
      await page.goto(address);
      await page.getByText('encryption-key-id').first().waitFor();
      expect(await page.locator('body').innerText()).not.toContain(person.body.name);
    });
  });
}
