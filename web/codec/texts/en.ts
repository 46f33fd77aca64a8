import type { CodecTexts } from './texts';

export const en: CodecTexts = {
  tab: 'Temporal UI',
  signIn: {
    heading: 'Sign in to read transactions in the Temporal UI',
    lead: 'Use your own client with the scope operator:decode, because the audit log records its id for each transaction that you read.',
    end: 'You stay signed in for an hour, or until you open this page again.',
  },
  scopeHint: 'The Temporal UI needs the scope operator:decode. Sign in with a client that has it.',
  signedIn: 'You are signed in',
  effect: (minutes) => `For ${minutes} minutes, the Temporal UI in this browser shows stored data in clear text.`,
  openUi: 'Open the Temporal UI',
  reloadUi: 'If it is open already, reload it.',
};
