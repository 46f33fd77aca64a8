import { createMessageCheck } from '../../api/flows/checks/message-check';

/** The codes of the issues of an SMS. `linkDomains`: the domains to which it may link. */
const codesOf = (text: string, linkDomains: readonly string[] = [], brand?: string) =>
  createMessageCheck({ linkDomains, segmentsPerMessage: 4 }, brand)(text, 'path', 'sms').map(({ code }) => code);

test.each([
  'Confirm: bank{{minutes}}.com/login',
  'Confirm: bank{{code}}.com/login',
  'Confirm: {{brand}}-verify.com/login',
  'Confirm: {{brand}}.com',
  'Confirm: www.{{brand}}.com',
  'Confirm: evil.{{brand}}.co/login',
  'Confirm: {{minutes}}.example.com',
  'Confirm: https://{{brand}}.example/login',
  'Confirm: https://evil.com/{{code}}',
  'Confirm: 203.0.{{minutes}}.7/login',
])('the text "%s" has a link that is not allowed', (text) => {
  expect(codesOf(text)).toEqual(['link-not-allowed']);
});

test.each([
  '{{brand}}: your code is {{code}}. It is good for {{minutes}} min.',
  '{{brand}}.Your code: {{code}}.{{minutes}} min',
  'Mail to help@{{brand}}.com, {{minutes}}.5 min',
])('the text "%s" has no link', (text) => {
  expect(codesOf(text)).toEqual([]);
});

test('a link to a domain that is not allowed is found, even if a placeholder is part of the link', () => {
  expect(codesOf('https://acme.com/{{code}}', ['acme.com'])).toEqual([]);
  expect(codesOf('{{brand}}.com', ['acme.com'], 'acme')).toEqual([]);
  expect(codesOf('acme.com.{{brand}}.com', ['acme.com'])).toEqual(['link-not-allowed']);
  expect(codesOf('acme.com{{minutes}}.example.com', ['acme.com'])).toEqual(['link-not-allowed']);
});

test('the check of links fills {{brand}} with the brand of the service', () => {
  expect(codesOf('Confirm: evil{{brand}}', [], 'Bank')).toEqual([]);
  expect(codesOf('Confirm: evil{{brand}}', [], 'Bank.com')).toEqual(['link-not-allowed']);
  expect(codesOf('Confirm: {{brand}}.com', [], 'My Bank')).toEqual(['link-not-allowed']);
});

test('if the brand is a domain, a text may have {{brand}}, but not the domain itself', () => {
  expect(codesOf('{{brand}}: your code is {{code}}', [], 'Bank.com')).toEqual([]);
  expect(codesOf('{{brand}}-verify.com', [], 'Bank.com')).toEqual(['link-not-allowed']);
  expect(codesOf('bank.com/login', [], 'Bank.com')).toEqual(['link-not-allowed']);
});
