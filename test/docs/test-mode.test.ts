import { type TestDestination, testDestinations, testDocuments } from '../../messages/test-mode';
import { problems } from '../../api/http/problems';
import { openGuide } from '../support/guide';

const rows = openGuide('test-mode.md').table('values');
/** The guide's text about a test value. */
const textOf = (value: string) => rows.find(([, use = '']) => use.includes(value))?.[2] ?? '';
/** The values in backquotes. */
const codeValues = (text: string) => Array.from(text.matchAll(/`([^`]+)`/g), ([, value]) => value);

test('the guide lists every test value, in the order of the code', () => {
  const used = rows.flatMap(([, use = '']) => codeValues(use.startsWith('+') ? `\`${use}\`` : use));
  const destinations: TestDestination[] = Object.values(testDestinations);
  const expected = [
    ...destinations.flatMap(({ phone, mailbox }) => [phone, ...(mailbox ? [mailbox] : [])]),
    // The test landline is not in `testDestinations`.
    '+551120000000',
    ...Object.values(testDocuments).map(({ document }) => document),
  ];
  expect(used).toEqual(expected);
});

test.each(Object.entries<TestDestination>(testDestinations))('the guide says what happens to %s', (_, destination) => {
  const { phone, settings, rejectedWith, undeliveredWith } = destination;
  const text = textOf(phone);
  expect(text).toMatch(/\w/);
  for (const code of [rejectedWith?.phone, rejectedWith?.mailbox, undeliveredWith])
    if (code !== undefined) expect(text).toContain(String(code));
  if (settings?.expiresAfterMs) expect(text).toContain(`${settings.expiresAfterMs / 1_000} s`);
});

test('the guide names existing problems', () => {
  const names = rows
    .flatMap(([, , text = '']) => codeValues(text))
    .filter((name) => /^[a-z]+(_[a-z]+)+$/.test(name ?? ''));
  expect(names.length).toBeGreaterThan(4);
  for (const name of names) expect(Object.keys(problems)).toContain(name);
});
