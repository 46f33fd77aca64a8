import { createIssue, type FlowIssue } from '../flow-issue';

/** Each repetition in the patterns has a limit. So the time of a match grows only linearly with the length of the text. */
const patterns: readonly { kind: string; pattern: RegExp; fix?: string }[] = [
  { kind: 'an e-mail address', pattern: /[^\s@]@[^\s@.]{1,63}\.[^\s@]/ },
  // A CNPJ may have letters since 2026.
  { kind: 'a document number', pattern: /[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/[0-9A-Z]{4}-?\d{2}/ },
  { kind: 'a CPF', pattern: /\d{3}\.\d{3}\.\d{3}-?\d{2}/ },
  {
    kind: 'a phone or document number',
    pattern: /\d(?:[ ().\-/_+]{0,3}\d){6}/,
    fix: 'Remove personal data. Seven or more digits count as personal data, even with spaces or punctuation between them.',
  },
];

/** Finds possible personal data. A definition must have none, because all operators can read definitions. */
export function findPersonalData(text: string, path: string): FlowIssue[] {
  const found = patterns.find(({ pattern }) => pattern.test(text));
  if (!found) return [];
  return [
    createIssue(
      'personal-data',
      path,
      `The text seems to contain ${found.kind}.`,
      found.fix ?? 'Remove personal data.',
    ),
  ];
}
