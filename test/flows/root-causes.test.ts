import { checkFlow } from '../../domain/flows/check-flow';
import { templates } from '../../flows/templates';
import { withChanges, type FlowChanges, validFlow } from '../support/flow-changes';

const issuesOf = (changes: FlowChanges) =>
  checkFlow(withChanges(validFlow, changes), { templates }).map(({ path, code }) => `${path} [${code}]`);

test.each(['sms', 'whatsapp'] as const)('a message by %s that has a subject is reported as an issue', (channel) => {
  const text = { subject: 'Your code', body: '{{code}} is your code.' };
  const question = { ...text, body: 'Is it you?' };
  const [step, message] = channel === 'sms' ? ['code', text] : ['question', question];
  const changes: FlowChanges = {
    [`steps.${step}.template`]: undefined,
    [`steps.${step}.channel`]: channel,
    [`steps.${step}.message`]: { 'pt-BR': message, en: message, es: { body: message.body } },
  };
  expect(issuesOf(changes)).toEqual([
    `steps.${step}.message.pt-BR.subject [subject-unneeded]`,
    `steps.${step}.message.en.subject [subject-unneeded]`,
  ]);
});
