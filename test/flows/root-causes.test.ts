import { checkFlow } from '../../domain/flows/check-flow';
import type { Step } from '../../domain/flows/definition';
import { templates } from '../../flows/templates';
import { withChanges, type FlowChanges, validFlow } from '../support/flow-changes';

const issuesOf = (changes: FlowChanges) =>
  checkFlow(withChanges(validFlow, changes), { templates }).map(({ path, code }) => `${path} [${code}]`);

/** A second factor on WhatsApp, with the mistake `ask: 'token'`. */
const codeOnWhatsapp: Step = {
  kind: 'confirm',
  channel: 'whatsapp',
  ask: 'token',
  template: 'whatsapp-2fa',
  expiresAfterSeconds: 900,
  sendLimit: 2,
  resendAfterSeconds: 60,
  exits: { Yes: 'pictures', No: 'refused', Expired: 'refused', Failed: 'refused' },
};

test('a step that asks for a code on WhatsApp has only one issue: the code on WhatsApp', () => {
  expect(issuesOf({ 'steps.question': codeOnWhatsapp })).toEqual(['steps.question.channel [code-on-whatsapp]']);
});

test('the issue of a code on WhatsApp does not hide the other issues of the step', () => {
  const step = { ...codeOnWhatsapp, exits: { ...codeOnWhatsapp.exits, Yes: 'nowhere' } };
  expect(issuesOf({ 'steps.question': step, 'steps.pause.seconds': 0 })).toEqual([
    'steps.pause.seconds [wait-out-of-range]',
    'steps.question.channel [code-on-whatsapp]',
    'steps.question.exits.Yes [leads-nowhere]',
  ]);
});

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
