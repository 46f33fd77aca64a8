import type { FlowIssueCode } from '../../domain/flows/flow-issue';
import type { FlowChanges } from './flow-changes';

export const waitStep = (then: string) => ({ kind: 'wait', seconds: 60, then });
const end = { kind: 'outcome', outcome: 'Done' };
const many = (count: number, of: (index: number) => unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`step-${index}`, of(index)]));
const ring: FlowChanges = { start: 'a', steps: { a: waitStep('b'), b: waitStep('c'), c: waitStep('a'), d: end } };
const rules = 'steps.look.rules';
const options = 'steps.question.options';
const message = 'steps.question.message';

/** Steps that can each be visited five times from each other: more paths than can be followed. */
const tangle = {
  start: 'step-0',
  steps: {
    ...many(8, (index) => ({
      kind: 'decide',
      rules: Array.from({ length: 8 }, (_, to) => ({ when: `score < ${to}`, then: `step-${to}` })),
      else: 'z',
      visits: 5,
      exhausted: index === 7 ? 'z' : `step-${index + 1}`,
    })),
    z: end,
  },
};

/** Each case is one mistake in an otherwise valid flow, with its expected code and message. */
export const flowMistakes: readonly (readonly [string, FlowIssueCode, FlowChanges])[] = [
  ['a number that JSON cannot hold', 'not-plain-data', { version: 1n }],
  ['a text as long as a book', 'definition-too-large', { title: 'x'.repeat(66_000) }],
  ['a version in between', 'version-out-of-range', { version: 1.5 }],
  ['version zero', 'version-out-of-range', { version: 0 }],
  ['a flow without steps', 'no-steps', { steps: {} }],
  [
    'forty-one steps',
    'too-many-steps',
    { start: 'step-0', steps: many(41, (index) => (index === 40 ? end : waitStep(`step-${index + 1}`))) },
  ],
  ['a missing start', 'start-missing', { start: '' }],
  ['a start that is not a step', 'start-unknown', { start: 'begin' }],
  ['a start that is an outcome', 'step-unreached', { start: 'confirmed' }],
  ['a flow in capitals', 'flow-name', { name: 'SignUp' }],
  ['a flow without a name', 'flow-name', { name: '' }],
  ['a step in capitals', 'step-name', { 'steps.pause.then': 'myStep', 'steps.myStep': waitStep('code') }],
  [
    'a reply in lower case',
    'reply-name',
    { [`${options}.0.name`]: 'yes', 'steps.question.exits.Yes': undefined, 'steps.question.exits.yes': 'tell' },
  ],
  ['an outcome in lower case', 'outcome-name', { 'steps.confirmed.outcome': 'confirmed' }],
  ['an outcome with the name of canceled runs', 'outcome-name-taken', { 'steps.confirmed.outcome': 'Canceled' }],
  ['an event with spaces', 'event-name', { 'steps.tell.event': 'sign up confirmed' }],
  [
    'a step named as programs name things',
    'name-reserved',
    { 'steps.pause.then': 'constructor', 'steps.constructor': waitStep('code') },
  ],
  ['a flow named as programs name things', 'name-reserved', { name: 'constructor' }],
  ['a step named __proto__', 'name-reserved', { 'steps.pause.then': '__proto__', 'steps.__proto__': waitStep('code') }],
  ['a name of sixty-one letters', 'name-too-long', { name: 'x'.repeat(61) }],
  ['a title that is too long', 'title-too-long', { title: 'x'.repeat(201) }],
  ['a reason that is too long', 'because-too-long', { [`${rules}.0.because`]: 'x'.repeat(201) }],
  ['a mailbox in the title', 'personal-data', { title: 'For maria.silva@example.com' }],
  ['a CPF in a reason', 'personal-data', { [`${rules}.0.because`]: 'As 529.982.247-25 asked' }],
  ['a mailbox in a condition', 'personal-data', { [`${rules}.0.when`]: "'maria.silva@example.com' != ''" }],
  ['a CNPJ with letters in the title', 'personal-data', { title: 'For 12.ABC.345/01DE-35' }],
  ['a phone number in the name of the flow', 'personal-data', { name: 'call-11-98765-4321' }],
  ['a phone in an event', 'personal-data', { 'steps.tell.event': 'call.5511987654321' }],
  ['an outcome with a document number', 'personal-data', { 'steps.refused.outcome': 'Refused52998224725' }],
  ['an exit that leads nowhere because it is not there', 'exit-missing', { 'steps.code.exits.Blocked': undefined }],
  ['a reply without an exit', 'exit-missing', { 'steps.question.exits.NotMe': undefined }],
  ['an exit without a result', 'exit-unneeded', { 'steps.tell.exits.Ignored': 'confirmed' }],
  ['an exit to a missing step', 'leads-nowhere', { 'steps.code.exits.Valid': 'done' }],
  ['a rule to a missing step', 'leads-nowhere', { [`${rules}.0.then`]: 'done' }],
  ['an else to a missing step', 'leads-nowhere', { 'steps.look.else': '' }],
  ['a step that nothing leads to', 'step-unreached', { 'steps.lonely': waitStep('confirmed') }],
  [
    'a flow without an outcome',
    'no-outcome',
    { start: 'a', steps: { a: { ...waitStep('a'), visits: 2, exhausted: 'a' } } },
  ],
  [
    'a part of the flow without an end',
    'no-end',
    { 'steps.pause.then': 'corner', 'steps.corner': { ...waitStep('corner'), visits: 1, exhausted: 'corner' } },
  ],
  [
    'a cycle of steps',
    'loop-without-bound',
    { ...ring, 'steps.c': { ...waitStep('a'), kind: 'decide', rules: [{ when: 'score < 1', then: 'd' }], else: 'a' } },
  ],
  ['a step that follows itself', 'loop-without-bound', { [`${rules}.0.then`]: 'code', [`${rules}.1.then`]: 'look' }],
  ['exhausted that leads to its own step', 'exhausted-leads-back', { 'steps.code.exhausted': 'code' }],
  ['exhausted that comes round', 'exhausted-leads-back', { 'steps.code.exhausted': 'pause' }],
  ['visits without exhausted', 'exhausted-missing', { 'steps.code.exhausted': undefined }],
  ['exhausted without visits', 'exhausted-unneeded', { 'steps.tell.exhausted': 'refused' }],
  ['six visits', 'visits-out-of-range', { 'steps.code.visits': 6 }],
  ['a step without a text', 'text-missing', { 'steps.code.template': undefined }],
  ['a template and a message', 'text-twice', { 'steps.question.template': 'email-2fa' }],
  ['an unknown template', 'template-unknown', { 'steps.code.template': 'sms-code' }],
  ['a template of another channel', 'template-of-other-channel', { 'steps.code.channel': 'email' }],
  ['a second factor template for a code', 'template-of-other-ask', { 'steps.code.template': 'sms-2fa' }],
  [
    'a code on WhatsApp',
    'code-on-whatsapp',
    {
      'steps.code.channel': 'whatsapp',
      'steps.code.template': undefined,
      'steps.code.message': validMessage('{{code}}'),
    },
  ],
  ['an SMS code that lives eleven minutes', 'lifetime-out-of-range', { 'steps.code.expiresAfterSeconds': 660 }],
  ['a question that lives more than a day', 'lifetime-out-of-range', { 'steps.question.expiresAfterSeconds': 86_401 }],
  ['six messages', 'send-limit-out-of-range', { 'steps.code.sendLimit': 6 }],
  ['a pause longer than the life', 'pause-out-of-range', { 'steps.code.resendAfterSeconds': 301 }],
  ['eleven attempts', 'attempts-out-of-range', { 'steps.code.attemptLimit': 11 }],
  ['a code without an attempt limit', 'attempts-out-of-range', { 'steps.code.attemptLimit': undefined }],
  ['a code of five digits', 'digits-out-of-range', { 'steps.code.codeDigits': 5 }],
  ['a code without a resend mode', 'resend-missing', { 'steps.code.resend': undefined }],
  ['a question with digits', 'token-field-on-question', { 'steps.question.codeDigits': 6 }],
  ['a code with replies', 'replies-on-code', { 'steps.code.options': [] }],
  [
    'a question with one reply',
    'too-few-replies',
    { [`${options}.1`]: undefined, [options]: [validReply(1, 'Yes')], 'steps.question.exits.NotMe': undefined },
  ],
  ['a question without replies', 'too-few-replies', { [options]: undefined }],
  [
    'eleven replies',
    'too-many-replies',
    {
      [options]: Array.from({ length: 11 }, (_, index) => validReply(index + 1, `R${index + 1}`)),
      'steps.question.exits': Object.fromEntries([
        ...Array.from({ length: 11 }, (_, index) => [`R${index + 1}`, 'tell']),
        ['Expired', 'pictures'],
        ['Failed', 'refused'],
      ]),
    },
  ],
  ['replies that start with 2', 'replies-out-of-order', { [`${options}.0.option`]: 2, [`${options}.1.option`]: 3 }],
  [
    'two replies with one name',
    'reply-name-twice',
    { [`${options}.1.name`]: 'Yes', 'steps.question.exits.NotMe': undefined },
  ],
  [
    'a reply named as a result',
    'reply-name-taken',
    { [`${options}.1.name`]: 'Expired', 'steps.question.exits.NotMe': undefined },
  ],
  ['a reply without words', 'reply-words-missing', { [`${options}.0.words`]: [] }],
  ['a word with an accent', 'reply-word-form', { [`${options}.1.words`]: ['não'] }],
  ['a word of two replies', 'reply-word-twice', { [`${options}.1.words`]: ['sim'] }],
  ['a word that is the number of another reply', 'reply-word-twice', { [`${options}.0.words`]: ['2'] }],
  ['a word that opts out', 'reply-word-opts-out', { [`${options}.1.words`]: ['parar'] }],
  ['a word that opts in', 'reply-word-opts-in', { [`${options}.1.words`]: ['start'] }],
  ['a written answer as long as a letter', 'reply-word-too-long', { [`${options}.1.words`]: ['x'.repeat(161)] }],
  ['a label with a placeholder', 'label-form', { [`${options}.0.label.en`]: 'Yes, {{brand}}' }],
  ['an invisible label', 'label-form', { [`${options}.0.label.en`]: '\u200b' }],
  ['a label that is too long in a mail', 'label-too-long', { [`${options}.0.label.en`]: 'x'.repeat(201) }],
  ['an empty label', 'label-missing', { [`${options}.0.label.en`]: ' ' }],
  ['one label for two replies', 'label-twice', { [`${options}.1.label.en`]: 'YES' }],
  [
    'a label that no button holds',
    'label-too-long',
    {
      'steps.question.channel': 'whatsapp',
      [message]: validMessage('Was it you?'),
      [`${options}.0.label.en`]: 'Yes, it was certainly me',
    },
  ],
  ['a missing language', 'language-missing', { [`${message}.es`]: undefined }],
  ['a label without Spanish', 'language-missing', { [`${options}.0.label.es`]: undefined }],
  ['an unknown language', 'language-unknown', { [`${message}.fr`]: { subject: 'x', body: 'x' } }],
  ['an empty text', 'body-missing', { [`${message}.en.body`]: '' }],
  ['a text of two thousand letters', 'body-too-long', { [`${message}.en.body`]: 'x'.repeat(2_000) }],
  ['a mail without a subject', 'subject-missing', { [`${message}.en.subject`]: undefined }],
  ['a subject as long as a letter', 'subject-too-long', { [`${message}.en.subject`]: 'x'.repeat(151) }],
  ['a subject of an SMS', 'subject-unneeded', { 'steps.question.channel': 'sms' }],
  ['a placeholder of personal data', 'placeholder-unknown', { [`${message}.en.body`]: 'Dear {{name}}' }],
  ['a placeholder with spaces', 'placeholder-unknown', { [`${message}.en.subject`]: 'From {{ brand }}' }],
  [
    'a message without the code',
    'code-not-shown',
    { 'steps.code.template': undefined, 'steps.code.message': validMessage('Hello') },
  ],
  ['a code in a subject', 'code-in-subject', { [`${message}.en.subject`]: 'It is {{code}}' }],
  ['a code in a question', 'code-in-question', { [`${message}.en.body`]: 'It is {{code}}' }],
  ['one channel twice', 'channel-twice', { 'steps.pictures.channels': ['email', 'email'] }],
  ['a link that expires after a minute', 'link-seconds-out-of-range', { 'steps.pictures.linkSeconds': 60 }],
  ['a decision in two months', 'decide-within-out-of-range', { 'steps.pictures.decideWithinSeconds': 5_184_000 }],
  ['a wait of zero seconds', 'wait-out-of-range', { 'steps.pause.seconds': 0 }],
  ['a wait that is not a number', 'wait-out-of-range', { 'steps.pause.seconds': Number.NaN }],
  ['a webhook with two days of retries', 'give-up-out-of-range', { 'steps.tell.giveUpAfterSeconds': 172_800 }],
  ['a decision without rules', 'rules-missing', { [rules]: [], 'steps.look.else': 'code' }],
  [
    'twenty-one rules',
    'too-many-rules',
    { [rules]: Array.from({ length: 21 }, (_, index) => ({ when: `score < ${index}`, then: 'code' })) },
  ],
  ['a rule that is never reached', 'rule-twice', { [`${rules}.1.when`]: 'score < 40 ' }],
  ['an empty condition', 'condition-empty', { [`${rules}.0.when`]: ' ' }],
  ['a condition of six hundred letters', 'condition-too-long', { [`${rules}.0.when`]: `score < ${'1'.repeat(592)}` }],
  ['an invalid condition', 'condition-wrong', { [`${rules}.0.when`]: 'score <' }],
  ['an unknown fact', 'condition-wrong', { [`${rules}.0.when`]: 'scores < 40' }],
  ['an unknown field', 'condition-wrong', { [`${rules}.0.when`]: "transaction.document == '1'" }],
  ['a condition that is a number', 'condition-wrong', { [`${rules}.0.when`]: 'score' }],
  ['types that do not go together', 'condition-wrong', { [`${rules}.0.when`]: "score == 'low'" }],
  [
    'the answer of a missing step',
    'condition-names-no-step',
    { [`${rules}.0.when`]: "answers['cod'] == 'Valid' || answers['cod'] == 'Expired'" },
  ],
  ['the visits of a missing step', 'condition-names-no-step', { [`${rules}.0.when`]: 'visits.cod > 1' }],
  [
    'an exit that the step does not have',
    'condition-names-no-exit',
    { [`${rules}.0.when`]: "answers.code == 'Approved'" },
  ],
  [
    'an impossible answer of a step, with spaces',
    'condition-names-no-exit',
    { [`${rules}.0.when`]: "answers[  'code'  ]  ==  'Valdi'" },
  ],
  ['an unknown pair', 'condition-names-no-rating', { [`${rules}.0.when`]: "ratings['phone-document'] > 3" }],
  [
    'an unknown insight',
    'condition-names-no-insight',
    { [`${rules}.0.when`]: "'EM01' in insights && 'XA042' in insights" },
  ],
  [
    'an insight that no bureau can find',
    'condition-names-no-insight',
    { [`${rules}.0.when`]: "'XPH1' in insights || 'XB001' in insights" },
  ],
  ['too many paths', 'too-many-paths', tangle],
  [
    'a run of three months',
    'run-time-too-long',
    {
      start: 'a',
      steps: { a: { kind: 'wait', seconds: 2_592_000, then: 'a', visits: 3, exhausted: 'z' }, z: end },
    },
  ],
  [
    'a run through sixty-five steps',
    'too-many-steps-entered',
    {
      start: 'a0',
      steps: {
        ...Object.fromEntries(
          Array.from({ length: 32 }, (_, at) => [`a${at}`, waitStep(at === 31 ? 'back' : `a${at + 1}`)]),
        ),
        back: { kind: 'decide', rules: [{ when: 'score < 1', then: 'a0' }], else: 'z', visits: 2, exhausted: 'z' },
        z: end,
      },
    },
  ],
  ['a run of eleven messages', 'too-many-sends', { 'steps.code.sendLimit': 5, 'steps.code.resendAfterSeconds': 30 }],
];

function validMessage(body: string) {
  return { 'pt-BR': { body }, en: { body }, es: { body } };
}

function validReply(option: number, name: string) {
  return { option, name, meaning: 'yes', label: { 'pt-BR': name, en: name, es: name }, words: [name.toLowerCase()] };
}
