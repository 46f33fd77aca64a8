import type { FlowIssueCode } from '../../domain/flows/flow-issue';
import type { FlowChanges } from './flow-changes';

export const waitStep = (then: string) => ({ kind: 'wait', seconds: 60, then });
const outcomeStep = { kind: 'outcome', outcome: 'Done' };
/** Steps with the names `step-0`, `step-1` and so on. */
const manySteps = (count: number, buildStep: (index: number) => unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`step-${index}`, buildStep(index)]));
const cycle: FlowChanges = {
  start: 'a',
  steps: { a: waitStep('b'), b: waitStep('c'), c: waitStep('a'), d: outcomeStep },
};
const rulesPath = 'steps.look.rules';
const optionsPath = 'steps.question.options';
const messagePath = 'steps.question.message';

/** Every step leads to all steps and allows five visits: these are more paths than the check can follow. */
const tooManyPaths = {
  start: 'step-0',
  steps: {
    ...manySteps(8, (index) => ({
      kind: 'decide',
      rules: Array.from({ length: 8 }, (_, to) => ({ when: `score < ${to}`, then: `step-${to}` })),
      else: 'z',
      visits: 5,
      exhausted: index === 7 ? 'z' : `step-${index + 1}`,
    })),
    z: outcomeStep,
  },
};

const labels = (text: string) => ({ 'pt-BR': text, en: text, es: text });
const anyValue = { type: 'amount', label: labels('Amount') };

/** Each mistake has a name, the code of its issue, and the changes that make `validFlow` wrong. */
export const flowMistakes: readonly (readonly [string, FlowIssueCode, FlowChanges])[] = [
  ['a number that JSON cannot hold', 'not-plain-data', { version: 1n }],
  ['a definition that is too large', 'definition-too-large', { title: 'x'.repeat(66_000) }],
  ['a version that is not an integer', 'version-out-of-range', { version: 1.5 }],
  ['version zero', 'version-out-of-range', { version: 0 }],
  ['a flow without steps', 'no-steps', { steps: {} }],
  [
    'forty-one steps',
    'too-many-steps',
    { start: 'step-0', steps: manySteps(41, (index) => (index === 40 ? outcomeStep : waitStep(`step-${index + 1}`))) },
  ],
  [
    'thirty steps, of which each leads to up to twenty later steps',
    'too-many-arrows',
    {
      start: 'step-0',
      steps: {
        ...manySteps(29, (index) => ({
          kind: 'decide',
          rules: Array.from({ length: Math.min(20, 29 - index) }, (_, rule) => ({
            when: `score < ${rule}`,
            then: `step-${index + rule + 1}`,
          })),
          else: 'z',
        })),
        'step-29': waitStep('z'),
        z: outcomeStep,
      },
    },
  ],
  ['a missing start', 'start-missing', { start: '' }],
  ['a start that is not a step', 'start-unknown', { start: 'begin' }],
  ['a start that is an outcome', 'step-unreached', { start: 'confirmed' }],
  ['the name of a flow with capitals', 'flow-name', { name: 'SignUp' }],
  ['a flow without a name', 'flow-name', { name: '' }],
  ['the name of a step with capitals', 'step-name', { 'steps.pause.then': 'myStep', 'steps.myStep': waitStep('code') }],
  [
    'the name of a reply in lower case',
    'reply-name',
    { [`${optionsPath}.0.name`]: 'yes', 'steps.question.exits.Yes': undefined, 'steps.question.exits.yes': 'tell' },
  ],
  ['the name of an outcome in lower case', 'outcome-name', { 'steps.confirmed.outcome': 'confirmed' }],
  [
    'an outcome with the name Canceled, which canceled flow runs have',
    'outcome-name-taken',
    { 'steps.confirmed.outcome': 'Canceled' },
  ],
  [
    'an outcome with the name NotDecided, which flow runs have after a failed decision',
    'outcome-name-taken',
    { 'steps.confirmed.outcome': 'NotDecided' },
  ],
  ['the name of an event with spaces', 'event-name', { 'steps.tell.event': 'sign up confirmed' }],
  [
    'a step with a reserved name',
    'name-reserved',
    { 'steps.pause.then': 'constructor', 'steps.constructor': waitStep('code') },
  ],
  ['a flow with a reserved name', 'name-reserved', { name: 'constructor' }],
  ['a step named __proto__', 'name-reserved', { 'steps.pause.then': '__proto__', 'steps.__proto__': waitStep('code') }],
  ['a name of sixty-one letters', 'name-too-long', { name: 'x'.repeat(61) }],
  ['a title that is too long', 'title-too-long', { title: 'x'.repeat(201) }],
  ['a reason that is too long', 'because-too-long', { [`${rulesPath}.0.because`]: 'x'.repeat(201) }],
  ['an e-mail address in the title', 'personal-data', { title: 'For maria.silva@example.com' }],
  ['a CPF in a reason', 'personal-data', { [`${rulesPath}.0.because`]: 'As 529.982.247-25 asked' }],
  ['an e-mail address in a condition', 'personal-data', { [`${rulesPath}.0.when`]: "'maria.silva@example.com' != ''" }],
  ['a CNPJ with letters in the title', 'personal-data', { title: 'For 12.ABC.345/01DE-35' }],
  ['a phone number in the name of the flow', 'personal-data', { name: 'call-11-98765-4321' }],
  ['a phone number in the name of an event', 'personal-data', { 'steps.tell.event': 'call.5511987654321' }],
  ['an outcome with a document number', 'personal-data', { 'steps.refused.outcome': 'Refused52998224725' }],
  ['a code without the exit Blocked', 'exit-missing', { 'steps.code.exits.Blocked': undefined }],
  ['a reply without an exit', 'exit-missing', { 'steps.question.exits.NotMe': undefined }],
  ['an exit that no result has', 'exit-unneeded', { 'steps.tell.exits.Ignored': 'confirmed' }],
  ['an exit to a missing step', 'leads-nowhere', { 'steps.code.exits.Valid': 'done' }],
  ['a rule to a missing step', 'leads-nowhere', { [`${rulesPath}.0.then`]: 'done' }],
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
    { ...cycle, 'steps.c': { ...waitStep('a'), kind: 'decide', rules: [{ when: 'score < 1', then: 'd' }], else: 'a' } },
  ],
  [
    'a step that follows itself',
    'loop-without-bound',
    { [`${rulesPath}.0.then`]: 'code', [`${rulesPath}.1.then`]: 'look' },
  ],
  ['exhausted that leads to its own step', 'exhausted-leads-back', { 'steps.code.exhausted': 'code' }],
  ['exhausted that leads back through another step', 'exhausted-leads-back', { 'steps.code.exhausted': 'pause' }],
  ['visits without exhausted', 'exhausted-missing', { 'steps.code.exhausted': undefined }],
  ['exhausted without visits', 'exhausted-unneeded', { 'steps.tell.exhausted': 'refused' }],
  ['a step with six visits', 'visits-out-of-range', { 'steps.code.visits': 6 }],
  ['a step without a text', 'text-missing', { 'steps.code.template': undefined }],
  ['a template and a message', 'text-twice', { 'steps.question.template': 'email-2fa' }],
  ['an unknown template', 'template-unknown', { 'steps.code.template': 'sms-code' }],
  ['a template of another channel', 'template-of-other-channel', { 'steps.code.channel': 'email' }],
  ['a second factor template for a code', 'template-of-other-ask', { 'steps.code.template': 'sms-2fa' }],
  [
    'a text for a code on WhatsApp',
    'text-on-whatsapp-code',
    {
      'steps.code.channel': 'whatsapp',
      'steps.code.template': undefined,
      'steps.code.message': validMessage('{{code}}'),
    },
  ],
  ['a question by voice', 'question-by-voice', { 'steps.question.channel': 'voice' }],
  ['an SMS code with a lifetime of eleven minutes', 'lifetime-out-of-range', { 'steps.code.expiresAfterSeconds': 660 }],
  [
    'a question with a lifetime of more than a day',
    'lifetime-out-of-range',
    { 'steps.question.expiresAfterSeconds': 86_401 },
  ],
  [
    'a delivery time as long as the lifetime',
    'deliver-within-out-of-range',
    { 'steps.code.deliverWithinSeconds': 300, 'steps.code.exits.Undelivered': 'refused' },
  ],
  [
    'a delivery time of one second',
    'deliver-within-out-of-range',
    { 'steps.code.deliverWithinSeconds': 1, 'steps.code.exits.Undelivered': 'refused' },
  ],
  [
    'a delivery time of an e-mail',
    'no-delivery-reports',
    { 'steps.question.deliverWithinSeconds': 20, 'steps.question.exits.Undelivered': 'refused' },
  ],
  ['six values', 'too-many-values', { values: Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`v${n}`, anyValue])) }],
  ['a value with the name of a placeholder', 'value-name', { values: { code: anyValue } }],
  ['a value with a hyphen in its name', 'value-name', { values: { 'the-amount': anyValue } }],
  ['a text without a length', 'value-length', { values: { payee: { ...anyValue, type: 'text' } } }],
  ['a text that is too long', 'value-length', { values: { payee: { ...anyValue, type: 'text', maxCharacters: 61 } } }],
  ['an amount with a length', 'value-length', { values: { amount: { ...anyValue, maxCharacters: 10 } } }],
  ['a value without a label', 'value-label', { values: { amount: { ...anyValue, label: labels('') } } }],
  ['a label that is too long', 'value-label', { values: { amount: { ...anyValue, label: labels('x'.repeat(31)) } } }],
  [
    'a value in a text on WhatsApp',
    'value-on-whatsapp',
    {
      values: { amount: anyValue },
      'steps.question.channel': 'whatsapp',
      [messagePath]: { 'pt-BR': { body: '{{amount}}?' }, en: { body: '{{amount}}?' }, es: { body: '{{amount}}?' } },
    },
  ],
  ['a step with six messages', 'send-limit-out-of-range', { 'steps.code.sendLimit': 6 }],
  [
    'a pause between messages that is longer than the lifetime of the code',
    'pause-out-of-range',
    { 'steps.code.resendAfterSeconds': 301 },
  ],
  ['a code with eleven attempts', 'attempts-out-of-range', { 'steps.code.attemptLimit': 11 }],
  ['a code without an attempt limit', 'attempts-out-of-range', { 'steps.code.attemptLimit': undefined }],
  ['a code of five digits', 'digits-out-of-range', { 'steps.code.codeDigits': 5 }],
  ['a code without a resend mode', 'resend-missing', { 'steps.code.resend': undefined }],
  ['a question with digits', 'token-field-on-question', { 'steps.question.codeDigits': 6 }],
  ['a code with replies', 'replies-on-code', { 'steps.code.options': [] }],
  [
    'a question with one reply',
    'too-few-replies',
    { [`${optionsPath}.1`]: undefined, [optionsPath]: [validReply(1, 'Yes')], 'steps.question.exits.NotMe': undefined },
  ],
  ['a question without replies', 'too-few-replies', { [optionsPath]: undefined }],
  [
    'eleven replies',
    'too-many-replies',
    {
      [optionsPath]: Array.from({ length: 11 }, (_, index) => validReply(index + 1, `R${index + 1}`)),
      'steps.question.exits': Object.fromEntries([
        ...Array.from({ length: 11 }, (_, index) => [`R${index + 1}`, 'tell']),
        ['Expired', 'pictures'],
        ['Failed', 'refused'],
      ]),
    },
  ],
  [
    'replies whose numbers start with 2',
    'replies-out-of-order',
    { [`${optionsPath}.0.option`]: 2, [`${optionsPath}.1.option`]: 3 },
  ],
  [
    'two replies with one name',
    'reply-name-twice',
    { [`${optionsPath}.1.name`]: 'Yes', 'steps.question.exits.NotMe': undefined },
  ],
  [
    'a reply with the name of another exit',
    'reply-name-taken',
    { [`${optionsPath}.1.name`]: 'Expired', 'steps.question.exits.NotMe': undefined },
  ],
  ['a reply without words', 'reply-words-missing', { [`${optionsPath}.0.words`]: [] }],
  ['a word with an accent', 'reply-word-form', { [`${optionsPath}.1.words`]: ['não'] }],
  ['the same word in two replies', 'reply-word-twice', { [`${optionsPath}.1.words`]: ['sim'] }],
  ['a word that is the number of another reply', 'reply-word-twice', { [`${optionsPath}.0.words`]: ['2'] }],
  ['a word that opts out', 'reply-word-opts-out', { [`${optionsPath}.1.words`]: ['parar'] }],
  ['a word that opts in', 'reply-word-opts-in', { [`${optionsPath}.1.words`]: ['start'] }],
  ['a word that asks for help', 'reply-word-asks-for-help', { [`${optionsPath}.1.words`]: ['info'] }],
  ['a word of 161 letters', 'reply-word-too-long', { [`${optionsPath}.1.words`]: ['x'.repeat(161)] }],
  ['a label with a placeholder', 'label-form', { [`${optionsPath}.0.label.en`]: 'Yes, {{brand}}' }],
  ['an invisible label', 'label-form', { [`${optionsPath}.0.label.en`]: '\u200b' }],
  ['a label that is too long for an e-mail', 'label-too-long', { [`${optionsPath}.0.label.en`]: 'x'.repeat(201) }],
  ['an empty label', 'label-missing', { [`${optionsPath}.0.label.en`]: ' ' }],
  ['one label for two replies', 'label-twice', { [`${optionsPath}.1.label.en`]: 'YES' }],
  [
    'a label that is too long for a button',
    'label-too-long',
    {
      'steps.question.channel': 'whatsapp',
      [messagePath]: validMessage('Was it you?'),
      [`${optionsPath}.0.label.en`]: 'Yes, it was certainly me',
    },
  ],
  ['a missing language', 'language-missing', { [`${messagePath}.es`]: undefined }],
  ['a label without Spanish', 'language-missing', { [`${optionsPath}.0.label.es`]: undefined }],
  ['an unknown language', 'language-unknown', { [`${messagePath}.fr`]: { subject: 'x', body: 'x' } }],
  ['an empty text', 'body-missing', { [`${messagePath}.en.body`]: '' }],
  ['a link to a domain that is not allowed', 'link-not-allowed', { [`${messagePath}.en.body`]: 'Open evil.shop/now' }],
  ['a link in a subject', 'link-not-allowed', { [`${messagePath}.en.subject`]: 'Urgent: https://evil.com/login' }],
  ['a link in a reply', 'link-not-allowed', { [`${optionsPath}.0.label.en`]: 'Yes, go to https://evil.com/login' }],
  [
    'a link on a WhatsApp button',
    'link-not-allowed',
    {
      'steps.question.channel': 'whatsapp',
      [messagePath]: validMessage('Was it you?'),
      [`${optionsPath}.0.label.en`]: 'https://evil.co',
    },
  ],
  [
    'an SMS of five segments',
    'too-many-segments',
    {
      'steps.code.template': undefined,
      'steps.code.message': Object.fromEntries(
        ['pt-BR', 'en', 'es'].map((language) => [language, { body: `{{code}} ${'x'.repeat(700)}` }]),
      ),
    },
  ],
  ['a text of two thousand letters', 'body-too-long', { [`${messagePath}.en.body`]: 'x'.repeat(2_000) }],
  ['an e-mail without a subject', 'subject-missing', { [`${messagePath}.en.subject`]: undefined }],
  ['a subject of two lines', 'line-break', { [`${messagePath}.en.subject`]: 'Code\nBcc: a@b.test' }],
  ['a subject of 151 letters', 'subject-too-long', { [`${messagePath}.en.subject`]: 'x'.repeat(151) }],
  ['a subject of an SMS', 'subject-unneeded', { 'steps.question.channel': 'sms' }],
  ['a placeholder of personal data', 'placeholder-unknown', { [`${messagePath}.en.body`]: 'Dear {{name}}' }],
  [
    'a placeholder with single braces',
    'placeholder-unknown',
    { [`${messagePath}.en.body`]: 'Valid for {minutes} min' },
  ],
  ['a placeholder with spaces', 'placeholder-unknown', { [`${messagePath}.en.subject`]: 'From {{ brand }}' }],
  [
    'a message without the code',
    'code-not-shown',
    { 'steps.code.template': undefined, 'steps.code.message': validMessage('Hello') },
  ],
  ['a code in a subject', 'code-in-subject', { [`${messagePath}.en.subject`]: 'It is {{code}}' }],
  ['a code in a question', 'code-in-question', { [`${messagePath}.en.body`]: 'It is {{code}}' }],
  ['one channel twice', 'channel-twice', { 'steps.pictures.channels': ['email', 'email'] }],
  ['a link that expires after a minute', 'link-seconds-out-of-range', { 'steps.pictures.linkSeconds': 60 }],
  [
    'a wait of two months for a decision',
    'decide-within-out-of-range',
    { 'steps.pictures.decideWithinSeconds': 5_184_000 },
  ],
  ['a wait of zero seconds', 'wait-out-of-range', { 'steps.pause.seconds': 0 }],
  ['a wait that is not a number', 'wait-out-of-range', { 'steps.pause.seconds': Number.NaN }],
  ['a notify step with two days of retries', 'give-up-out-of-range', { 'steps.tell.giveUpAfterSeconds': 172_800 }],
  ['a decide step without rules', 'rules-missing', { [rulesPath]: [], 'steps.look.else': 'code' }],
  [
    'twenty-one rules',
    'too-many-rules',
    { [rulesPath]: Array.from({ length: 21 }, (_, index) => ({ when: `score < ${index}`, then: 'code' })) },
  ],
  ['a rule with the same condition as the rule before', 'rule-twice', { [`${rulesPath}.1.when`]: 'score < 40 ' }],
  ['an empty condition', 'condition-empty', { [`${rulesPath}.0.when`]: ' ' }],
  [
    'a condition of six hundred letters',
    'condition-too-long',
    { [`${rulesPath}.0.when`]: `score < ${'1'.repeat(592)}` },
  ],
  ['an invalid condition', 'condition-wrong', { [`${rulesPath}.0.when`]: 'score <' }],
  ['an unknown fact', 'condition-wrong', { [`${rulesPath}.0.when`]: 'scores < 40' }],
  ['an unknown field', 'condition-wrong', { [`${rulesPath}.0.when`]: "transaction.document == '1'" }],
  ['a condition that is a number', 'condition-wrong', { [`${rulesPath}.0.when`]: 'score' }],
  ['types that cannot be compared', 'condition-wrong', { [`${rulesPath}.0.when`]: "score == 'low'" }],
  [
    'a condition on the exit of a missing step',
    'condition-names-no-step',
    { [`${rulesPath}.0.when`]: "exits['cod'] == 'Valid' || exits['cod'] == 'Expired'" },
  ],
  [
    'a condition on the visits of a missing step',
    'condition-names-no-step',
    { [`${rulesPath}.0.when`]: 'visits.cod > 1' },
  ],
  [
    'a condition on an exit that the step does not have',
    'condition-names-no-exit',
    { [`${rulesPath}.0.when`]: "exits.code == 'Approved'" },
  ],
  [
    'a condition with spaces on an exit that the step does not have',
    'condition-names-no-exit',
    { [`${rulesPath}.0.when`]: "exits[  'code'  ]  ==  'Valdi'" },
  ],
  [
    'an unknown pair of a rating',
    'condition-names-no-rating',
    { [`${rulesPath}.0.when`]: "ratings['phone-document'] > 3" },
  ],
  [
    'an unknown insight',
    'condition-names-no-insight',
    { [`${rulesPath}.0.when`]: "'EM01' in insights && 'XA042' in insights" },
  ],
  [
    'an insight that no bureau can find',
    'condition-names-no-insight',
    { [`${rulesPath}.0.when`]: "'XPH1' in insights || 'XB001' in insights" },
  ],
  ['too many paths', 'too-many-paths', tooManyPaths],
  [
    'a flow whose runs can take three months',
    'run-time-too-long',
    {
      start: 'a',
      steps: { a: { kind: 'wait', seconds: 2_592_000, then: 'a', visits: 3, exhausted: 'z' }, z: outcomeStep },
    },
  ],
  [
    'a flow whose runs can enter ninety-nine steps',
    'too-many-steps-entered',
    {
      start: 'a0',
      steps: {
        ...Object.fromEntries(
          Array.from({ length: 32 }, (_, index) => [`a${index}`, waitStep(index === 31 ? 'back' : `a${index + 1}`)]),
        ),
        back: { kind: 'decide', rules: [{ when: 'score < 1', then: 'a0' }], else: 'z', visits: 2, exhausted: 'z' },
        z: outcomeStep,
      },
    },
  ],
  [
    'a flow whose runs can send thirteen messages',
    'too-many-sends',
    { 'steps.code.sendLimit': 5, 'steps.code.resendAfterSeconds': 30 },
  ],
];

/** A message with the same text in all languages. */
function validMessage(body: string) {
  return { 'pt-BR': { body }, en: { body }, es: { body } };
}

function validReply(option: number, name: string) {
  return { option, name, meaning: 'yes', label: { 'pt-BR': name, en: name, es: name }, words: [name.toLowerCase()] };
}
