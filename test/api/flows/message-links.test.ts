import { validFlow, withChanges } from '../../support/flow-changes';
import { FlowWorld } from './flow-world';

let world: FlowWorld;
beforeAll(async () => {
  world = await FlowWorld.open({ BRAND: 'bank.com' });
});
afterAll(() => world.close());

test('PUT rejects a text that becomes a link when the brand of the service replaces `{{brand}}`', async () => {
  const putText = (body: string) => {
    const { version: _, ...flow } = withChanges(validFlow, { 'steps.question.message.en.body': body });
    return world.put('sign-up', flow);
  };
  expect(await putText('Was it you at {{brand}}?')).toMatchObject({ status: 201 });
  expect(await putText('Confirm: evil{{brand}}/login')).toMatchObject({
    status: 422,
    body: { issues: [{ code: 'link-not-allowed', message: 'The text has the link `evilbank.com/login`.' }] },
  });
});
