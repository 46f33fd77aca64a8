import { ApiWorld, problemShape } from '../api-world';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

const document = { documentType: 'CPF', document: '52998224725' };

/** By field: the body of a new transaction with this text in the field. */
const bodies: Record<string, (text: string) => object> = {
  name: (text) => ({ ...document, name: text }),
  mothersName: (text) => ({ ...document, mothersName: text }),
  email: (text) => ({ ...document, email: `a${text}@example.com` }),
  sessionId: (text) => ({ ...document, sessionId: text }),
  identifierId: (text) => ({ ...document, identifierId: text }),
  channelId: (text) => ({ ...document, channelId: text }),
  'address.street': (text) => ({ ...document, address: { street: text } }),
  'card.ownerName': (text) => ({ ...document, card: { ownerName: text } }),
  'genericFields.note': (text) => ({ ...document, genericFields: { note: text } }),
  genericFields: (text) => ({ ...document, genericFields: { [text]: 'value' } }),
};

const hostileTexts = [
  'a\u0000b',
  'a\r\nBcc: x@example.org',
  'a\u001b[2J',
  'a\u0085b',
  'a\u202eb',
  'a\u2066b',
  'a\u200fb',
];
const moreHostileTexts = ['a\u061cb', 'a\u2028b', 'a\u2029b', 'a\ud800b'];

test.each(Object.keys(bodies))(
  '%s with a control character, a separator or a direction mark is rejected',
  async (field) => {
    for (const text of [...hostileTexts, ...moreHostileTexts]) {
      const { body } = await world.request('/v1/transaction', { body: bodies[field]?.(text) });
      expect(body).toEqual({ ...problemShape('validation_failed', 400), errors: { [field]: expect.any(Array) } });
    }
  },
);

test('a text with two lines is rejected, except in a value of genericFields', async () => {
  for (const [field, bodyWith] of Object.entries(bodies)) {
    const { status } = await world.request('/v1/transaction', { body: bodyWith('one\ntwo') });
    expect([field, status]).toEqual([field, field === 'genericFields.note' ? 201 : 400]);
  }
});

test.each(['Zé', 'علی\u200cرضا', 'ශ්\u200dරී', '王小明', '<b>Maria</b>', "O'Neill {{code}} ${1}", '👨\u200d👩\u200d👧'])(
  'the name %s is saved unchanged',
  async (name) => {
    const { body } = await world.request('/v1/transaction', { body: { ...document, name } });
    expect(body).toMatchObject({ name });
  },
);

test('a hostile name of a biometrics link is rejected', async () => {
  const { path } = await world.createTransaction();
  const response = await world.request(`${path}/biometrics`, { body: { name: 'Maria \u202eavliS', channels: [] } });
  expect(response.body).toMatchObject({
    code: 'validation_failed',
    errors: { name: [expect.stringContaining('U+202E')] },
  });
});

test('the error for a hostile text in a flow names the path of the text', async () => {
  const message = { body: 'Your code: {{code}}\u202e\nThanks' };
  const body = { start: 'a', steps: { a: { kind: 'confirm', message: { en: message } } } };
  const response = await world.request('/v1/flows/mine', { method: 'PUT', body });
  expect(response.body).toMatchObject({
    code: 'validation_failed',
    errors: { 'steps.a.message.en.body': [expect.stringContaining('U+202E')] },
  });
});
