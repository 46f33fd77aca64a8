import { issue, type FlowIssue } from '../flow-issue';

/** Bounded in every part, so that a long text takes no longer than its length. */
const patterns: readonly { what: string; pattern: RegExp }[] = [
  { what: 'an e-mail address', pattern: /[^\s@]{1,64}@[^\s@.]{1,63}\.[^\s@]/ },
  // CNPJ have letters from 2026 on.
  { what: 'a document number', pattern: /[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/[0-9A-Z]{4}-?\d{2}/ },
  { what: 'a CPF', pattern: /\d{3}\.\d{3}\.\d{3}-?\d{2}/ },
  { what: 'a phone or document number', pattern: /\d(?:[ ().\-/_+]{0,3}\d){6}/ },
];

/** Finds what may be somebody's. Definitions are read by all who operate the service, and kept for ever. */
export function findPersonalData(text: string, path: string): FlowIssue[] {
  const found = patterns.find(({ pattern }) => pattern.test(text));
  if (!found) return [];
  return [
    issue(
      'personal-data',
      path,
      `The text contains what looks like ${found.what}.`,
      'Remove personal data. Seven digits in a row count as personal data.',
    ),
  ];
}
