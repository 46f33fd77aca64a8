import { parseLine } from '../../../dev/score/parse-line';

const person = { documentType: 'CPF', document: '529.982.247-25', name: 'Maria Silva' };

const parse = (line: unknown, number = 1) =>
  parseLine(Buffer.from(typeof line === 'string' ? line : JSON.stringify(line)), number);

it('a line has the body of a transaction, which is read as the API reads it', () => {
  expect(parse(person)).toMatchObject({ input: { ...person, document: '52998224725' } });
});

it.each<[string, object, object]>([
  ['no instant, in the first line', {}, { createdAt: '2026-01-01T00:00:00.000Z' }],
  ['an instant with its offset', { createdAt: '2026-03-01T09:00:00-03:00' }, { createdAt: '2026-03-01T12:00:00.000Z' }],
  ['a label', { label: 'bad' }, { label: 'bad' }],
  ['facts', { facts: { phone: true } }, { facts: { phone: true, email: false, denied: false } }],
  ['no facts', {}, { facts: { phone: false, email: false, denied: false } }],
])('a line may have fields beside the body: %s', (_, fields, expected) => {
  const parsedLine = parse({ ...person, ...fields });
  expect(parsedLine).toMatchObject(expected);
  expect(parsedLine).toMatchObject({ input: { name: 'Maria Silva' } });
});

it('a line without a time is a minute later than the line before it', () => {
  expect(parse(person, 62)).toMatchObject({ createdAt: '2026-01-01T01:01:00.000Z' });
});

it.each<[string, unknown, string]>([
  ['invalid JSON', '{"document": Maria Silva}', 'is not JSON in UTF-8'],
  ['two values', '{} {}', 'is not JSON in UTF-8'],
  ['a list', [person], 'is not a JSON object'],
  ['null', 'null', 'is not a JSON object'],
  ['a missing document', { documentType: 'CPF' }, 'document: is required'],
  ['a wrong document', { ...person, document: '123' }, 'document: must have 11 digits for a CPF'],
  [
    'a phone without an area code',
    { ...person, phone: { countryCode: 55, number: 912345678 } },
    'phone.areaCode: must have two digits in Brazil, from 11 to 99',
  ],
  ['an unknown field', { ...person, cpfHash: 1 }, 'cpfHash: is not a field of a transaction'],
  [
    'a wrong instant',
    { ...person, createdAt: 'yesterday' },
    'createdAt: must be an ISO 8601 instant such as 2026-01-31T12:00:00Z',
  ],
  ['a wrong label', { ...person, label: 'fraud' }, 'label: must be "good" or "bad"'],
  ['wrong facts', { ...person, facts: { phone: 'yes' } }, 'facts.phone: must be true or false'],
  [
    'two errors',
    { documentType: 'CPF', document: '1', label: 1 },
    'document: must have 11 digits for a CPF; label: must be "good" or "bad"',
  ],
])('an invalid line is reported with the reason: %s', (_, line, message) => {
  expect(parse(line)).toEqual({ issue: message });
});

it('an invalid line is reported without field names that may be personal data', () => {
  const message = 'a field: is not a field of a transaction; genericFields: must be a string';
  const parsed = parse({ ...person, 'maria@example.com': 1, genericFields: { 'Maria Silva 52998224725': 7 } });
  expect('issue' in parsed && parsed.issue.split('; ').toSorted()).toEqual(message.split('; ').toSorted());
});
