import type { FlowDefinition } from '../../../../domain/flows/definition';
import { smsTokenFlow } from '../../../../flows/sms-token.flow';
import { deriveCode } from '../../../../messages/codes';
import { ApiWorld, problemShape } from '../../api-world';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
  world.dependencies.flowStore = { ...world.dependencies.flowStore, findActive: async () => paymentFlow };
});
afterAll(() => world.close());

const labels = (text: string) => ({ 'pt-BR': text, en: text, es: text });
const body = (text: string) => ({ 'pt-BR': { body: text }, en: { body: text }, es: { body: text } });
const { template: _, ...code } = smsTokenFlow.steps['code'] as unknown as Record<string, unknown>;
const paymentFlow = {
  ...smsTokenFlow,
  name: 'payment',
  values: {
    amount: { type: 'amount', label: labels('Amount') },
    payee: { type: 'text', maxCharacters: 30, label: labels('Payee') },
  },
  steps: {
    ...smsTokenFlow.steps,
    code: { ...code, message: body('{{brand}}: {{code}} pays {{amount}} to {{payee}}') },
  },
} as unknown as FlowDefinition;

const values = { amount: '12.50 BRL', payee: 'Padaria Sol' };

/** Starts the flow in a new transaction. Returns its paths and the right code. */
async function start() {
  const { id, path } = await world.createTransaction();
  const { status, body: run } = await world.post(`${path}/flows/payment`, { body: { values } });
  expect(status).toBe(201);
  const { runId } = run as { runId: string };
  const confirmation = world.transactions.states.get(`local/${id}`)?.confirmations.at(-1);
  const value = deriveCode(world.dependencies.keys, id, confirmation?.id ?? '', 6);
  return { path, answerPath: `${path}/flows/runs/${runId}/answer`, value, confirmation };
}

test('the message shows the values, and their code confirms exactly these values', async () => {
  const { answerPath, value, confirmation } = await start();
  expect(confirmation?.settings.message['pt-BR'].body).toBe('Countersign: {{code}} pays R$ 12,50 to Padaria Sol');
  const other = await world.post(answerPath, { body: { value, values: { ...values, amount: '120.50 BRL' } } });
  expect([other.status, other.body]).toMatchObject([200, { status: 'Invalid' }]);
  const same = await world.post(answerPath, {
    body: { value, values: { payee: values.payee, amount: values.amount } },
  });
  expect([same.status, same.body]).toMatchObject([200, { status: 'Valid' }]);
});

test('a code without its values is not checked, and uses no attempt', async () => {
  const { path, answerPath, value } = await start();
  expect((await world.post(answerPath, { body: { value } })).body).toEqual(problemShape('values_mismatch', 422));
  expect((await world.post(`${path}/sms/tokens/validate`, { body: { value } })).body).toEqual(
    problemShape('values_mismatch', 422),
  );
  const same = await world.post(answerPath, { body: { value, values } });
  expect(same.body).toMatchObject({ status: 'Valid' });
});

test('without its values, the flow does not start', async () => {
  const { path } = await world.createTransaction();
  expect((await world.post(`${path}/flows/payment`)).body).toMatchObject({
    ...problemShape('validation_failed', 400),
    errors: { 'values.amount': ['is required'], 'values.payee': ['is required'] },
  });
  expect((await world.request(`${path}/flows`)).body).toEqual([]);
  const created = await world.post('/v1/transaction?flow=payment', {
    body: { documentType: 'CPF', document: '529.982.247-25' },
  });
  expect(created.body).toEqual(problemShape('values_needed', 422));
});

test('the page of the code shows what the person confirms, and accepts the code for it', async () => {
  const { path, value } = await start();
  const link = await world.post(`${path}/sms/tokens/link`, { body: {} });
  const { pathname } = new URL((link.body as { url: string }).url);
  const page = await (await fetch(world.address + pathname)).text();
  expect(page).toContain('<dt>Amount</dt><dd>R$ 12,50</dd>');
  expect(page).toContain('<dt>Payee</dt><dd>Padaria Sol</dd>');
  const form = new URLSearchParams({ code: value });
  const result = await fetch(world.address + pathname, { method: 'POST', body: form });
  expect(await result.text()).toContain('Confirmado');
});
