import type { FlowDefinition } from '../../domain/flows/definition';
import { emailTokenFlow } from '../../flows/email-token.flow';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { ApiWorld, problemShape } from './api-world';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

const activate = (flow: FlowDefinition) => {
  world.parts.flowStore = { ...world.parts.flowStore, active: async () => flow };
};

test('a flow whose text is gone since is refused with the fault and its remedy, and leaves no run', async () => {
  const [[name, step] = ['', undefined]] = Object.entries(smsTokenFlow.steps);
  activate({
    ...smsTokenFlow,
    steps: { ...smsTokenFlow.steps, [name]: { ...step, template: 'sms-gone' } as typeof step },
  } as FlowDefinition);
  const { path } = await world.begin();
  const fault = {
    code: 'template-unknown',
    path: `steps.${name}.template`,
    message: expect.stringContaining('sms-gone'),
    mend: expect.any(String),
  };
  const answer = await world.post(`${path}/flows/${smsTokenFlow.name}`);
  expect(answer.body).toEqual({ ...problemShape('flow_invalid', 422), faults: [fault] });
  expect((await world.ask(`${path}/flows`)).body).toEqual([]);
});

test.each([
  [smsTokenFlow, 'phone_daily_limit'],
  [emailTokenFlow, 'email_daily_limit'],
] as const)('a resend names the destination that has had its share: $name', async (flow, code) => {
  activate(flow);
  const { path } = await world.begin();
  const started = await world.post(`${path}/flows/${flow.name}`);
  const { runId } = started.body as { runId: string };
  world.transactions.failures.push('DestinationDailyLimitReached');
  const answer = await world.post(`${path}/flows/${runId}/resend`);
  expect(answer.body).toEqual(problemShape(code, 429));
});
