import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Browser, Page } from 'playwright-core';
import { answerSimulation, simulationRequest } from '../../../dev/flow/simulator/answer-simulation';
import { simulateOnServer } from '../../../dev/flow/simulation/simulate-on-server';
import { whatsappFirstFlow } from '../../../flows/examples/whatsapp-first.flow';
import { FlowWorld } from '../../api/flows/flow-world';
import { localSettings, openFlows, type TestPage } from '../../api/flows/page/flows-page-world';
import { openBrowser } from '../../support/browser';
import { openSkippingServer } from '../../support/servers/open-environment';
import { openEditor, typeText } from './editor-page';

let browser: Browser;
let world: FlowWorld;
let simulation: Awaited<ReturnType<typeof simulateOnServer>>;
let server: Server;
let testPage: TestPage;
let page: Page;
beforeAll(async () => {
  simulation = await simulateOnServer(openSkippingServer);
  // The simulator, as in the inbox: see dev/inbox/api/inbox-router.ts.
  server = createServer((request, response) => {
    void text(request)
      .then((body) => answerSimulation(simulation, simulationRequest.parse(JSON.parse(body))))
      .then((answer) => response.setHeader('content-type', 'application/json').end(JSON.stringify(answer)));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  browser = await openBrowser();
  world = await FlowWorld.open({ ...localSettings, FLOW_SIMULATOR_URL: `http://127.0.0.1:${port}/` });
  const { version: _version, name, ...definition } = whatsappFirstFlow;
  await world.put(name, definition);
  testPage = await openFlows(browser, world, { hash: '' });
  ({ page } = testPage);
  await openEditor(page, world, name, 1);
});
afterAll(async () => {
  expect(testPage.consoleErrors).toEqual([]);
  await browser.close();
  await world.close();
  server.close();
  await simulation.stop();
});

const simulate = async (person: string) => {
  await page.getByRole('textbox', { name: 'What the person does' }).fill(person);
  await page.getByRole('button', { name: 'Simulate', exact: true }).click();
};

it('a simulation runs the real workflow, and shows times, messages and the outcome', async () => {
  await simulate('ignores whatsapp; after 30s enters the code by sms');
  await page.getByText(/^Ended as Confirmed after 3 min \d+ s, with 2 messages\.$/).waitFor();
  await page.getByRole('heading', { name: 'One simulated person Confirmed' }).waitFor();
  const timeline = page.getByRole('table', { name: 'What happened: One simulated person' });
  expect(await timeline.innerText()).toMatch(
    /\+3 min[^]*Expired → sms-code[^]*the person enters the code: Valid[^]*Valid → confirmed/,
  );
  await timeline.getByText('Message', { exact: true }).last().click();
  await timeline.getByText(/Countersign: your code is \d{6}/).waitFor();
});

it('a simulation of which nothing is expected is not shown as passed, and its rejected steps are listed', async () => {
  await simulate('asks again by whatsapp; presses 1 on whatsapp');
  await page.getByText(/Rejected steps of the person: asks again by whatsapp\./).waitFor();
  await page.getByText('It was not compared with anything, because nothing was expected.').waitFor();
  expect(await page.getByText('Passed').count()).toBe(0);
}, 60_000);

it('the page runs scenarios, and compares their results with what they expect', async () => {
  const scenarios = [
    '- name: yes',
    '  person: [presses 1 on whatsapp]',
    '  expect: { outcome: Confirmed }',
    '- name: no',
    '  person: [presses 2 on whatsapp]',
    '  expect: { outcome: Confirmed }',
  ].join('\n');
  await page.getByLabel('Scenarios, YAML').fill(scenarios);
  await page.getByRole('button', { name: 'Run the scenarios' }).click();
  await page.getByText('2 scenarios, 1 failed').waitFor();
  await page.getByText('expected outcome Confirmed, got Denied').waitFor();
});

it('the page explains what is wrong with a script, a scenario or a flow', async () => {
  await simulate('dances');
  await page.getByText('`dances` is not a scripted step.').waitFor();
  await page.getByLabel('Scenarios, YAML').fill('- name: x\n  person: []\n  expect: { outcome: Nothing }');
  await page.getByRole('button', { name: 'Run the scenarios' }).click();
  await page.getByText(/^3:22: expect\.outcome: There is no outcome `Nothing`\./).waitFor();
  await typeText(page, '{}');
  await simulate('enters the code by sms');
  await page.getByText('The flow has issues. Fix them, then simulate it.').waitFor();
});

it('without a simulator, the page says that only a local stack can simulate, and the endpoint does not exist', async () => {
  const other = await FlowWorld.open(localSettings);
  const { page: otherPage, close } = await openFlows(browser, other, { hash: '#/new-flow' });
  await otherPage.getByText('Only a local stack (npm start) can simulate on this page.').waitFor();
  await close();
  const body = { name: 'a', text: '{}', person: 'x' };
  const request = { method: 'POST', token: null, body };
  expect((await other.api.request('/flows/simulations', request)).status).toBe(404);
  await other.close();
  const foreign = { ...request, headers: { 'content-type': 'text/plain' } };
  expect((await world.api.request('/flows/simulations', foreign)).status).toBe(415);
  const remote = await FlowWorld.open({ FLOW_SIMULATOR_URL: 'http://127.0.0.1:1/' });
  expect((await remote.api.request('/flows/simulations', request)).status).toBe(404);
  await remote.close();
});
