import type { FlowDefinition } from '../../domain/flows/definition';

/** New values by path, such as `steps.code.codeDigits`. Undefined removes the field. */
export type FlowChanges = Readonly<Record<string, unknown>>;

/** The copy may be invalid, and may not even match its type. */
export function withChanges(flow: FlowDefinition, changes: FlowChanges): FlowDefinition {
  const copy = structuredClone(flow);
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const parent = keys.reduce<Record<string, unknown>>(
      (node, key) => node[key] as Record<string, unknown>,
      copy as unknown as Record<string, unknown>,
    );
    if (value === undefined) delete parent[last];
    // An assignment to __proto__ would change the prototype. `defineProperty` adds a field, as JSON.parse does.
    else Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

const inAllLanguages = (body: string, subject?: string) => {
  const text = subject === undefined ? { body } : { subject, body };
  return { 'pt-BR': { ...text }, en: { ...text }, es: { ...text } };
};

/** A valid flow with every kind of step. */
export const validFlow: FlowDefinition = {
  name: 'sign-up',
  version: 1,
  title: 'A code, or a question by mail, or pictures',
  start: 'look',
  steps: {
    look: {
      kind: 'decide',
      rules: [
        { when: 'score < 40', then: 'pictures', because: 'The score is low' },
        { when: "ratings['document-phone'] >= 4 && exits['code'] != 'Blocked'", then: 'code' },
      ],
      else: 'question',
    },
    code: {
      kind: 'confirm',
      channel: 'sms',
      ask: 'token',
      template: 'sms-token',
      expiresAfterSeconds: 300,
      sendLimit: 2,
      resendAfterSeconds: 60,
      attemptLimit: 5,
      codeDigits: 6,
      resend: 'reuse',
      visits: 2,
      exhausted: 'question',
      exits: { Valid: 'tell', Expired: 'pause', Blocked: 'refused', Failed: 'question' },
    },
    pause: { kind: 'wait', seconds: 600, then: 'code' },
    question: {
      kind: 'confirm',
      channel: 'email',
      ask: 'reply',
      message: inAllLanguages('Was it you? You have {{minutes}} minutes.', '{{brand}} asks'),
      options: [
        {
          option: 1,
          name: 'Yes',
          meaning: 'yes',
          label: { 'pt-BR': 'SIM', en: 'YES', es: 'SÍ' },
          words: ['sim', 'yes', 'si'],
        },
        {
          option: 2,
          name: 'NotMe',
          meaning: 'no',
          label: { 'pt-BR': 'NÃO', en: 'NO', es: 'NO' },
          words: ['nao', 'no'],
        },
      ],
      expiresAfterSeconds: 3_600,
      sendLimit: 2,
      resendAfterSeconds: 60,
      exits: { Yes: 'tell', NotMe: 'refused', Expired: 'pictures', Failed: 'pictures' },
    },
    pictures: {
      kind: 'biometrics',
      channels: ['email'],
      linkSeconds: 86_400,
      decideWithinSeconds: 172_800,
      exits: {
        Approved: 'tell',
        Rejected: 'refused',
        Inconclusive: 'refused',
        Expired: 'refused',
        Abandoned: 'refused',
        Canceled: 'refused',
        Undecided: 'refused',
      },
    },
    tell: {
      kind: 'notify',
      event: 'sign-up.confirmed',
      giveUpAfterSeconds: 3_600,
      exits: { Delivered: 'confirmed', Failed: 'confirmed' },
    },
    confirmed: { kind: 'outcome', outcome: 'Confirmed' },
    refused: { kind: 'outcome', outcome: 'Refused' },
  },
};
