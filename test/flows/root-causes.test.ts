import { checkFlow } from '../../domain/flows/check-flow';
import type { Step } from '../../domain/flows/definition';
import { templates } from '../../flows/templates';
import { withChanges, type FlowChanges, validFlow } from '../support/flow-changes';

const issuesOf = (changes: FlowChanges) =>
  checkFlow(withChanges(validFlow, changes), { templates }).map(({ path, code }) => `${path} [${code}]`);

/** A code by voice, with the mistake `ask: 'reply'`. */
const questionByVoice: Step = {
  kind: 'confirm',
  channel: 'voice',
  ask: 'reply',
  template: 'voice-token',
  expiresAfterSeconds: 300,
  sendLimit: 2,
  resendAfterSeconds: 60,
  exits: { Valid: 'pictures', Blocked: 'refused', Expired: 'refused', Failed: 'refused' },
};

test('a step that asks a question by voice has only one issue: the question by voice', () => {
  expect(issuesOf({ 'steps.question': questionByVoice })).toEqual(['steps.question.channel [question-by-voice]']);
});

test('the issue of a question by voice does not hide the other issues of the step', () => {
  const step = { ...questionByVoice, exits: { ...questionByVoice.exits, Valid: 'nowhere' } };
  expect(issuesOf({ 'steps.question': step, 'steps.pause.seconds': 0 })).toEqual([
    'steps.pause.seconds [wait-out-of-range]',
    'steps.question.channel [question-by-voice]',
    'steps.question.exits.Valid [leads-nowhere]',
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
