import { ApiWorld, problemShape } from '../api-world';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

test.each([
  ['a comma after the last field', '{\n  "secret": 1,\n}', 'Line 3, column 1: Property name expected.'],
  ['a field name without quotes', '{ secret: 1 }', 'Line 1, column 3: Invalid symbol.'],
])('the problem for %s has the position, and no text of the body', async (_, raw, expectedDetail) => {
  const response = await world.post('/v1/transaction', { rawBody: raw });
  const detail = `${expectedDetail} Send one JSON object in UTF-8.`;
  expect(response.body).toEqual({ ...problemShape('malformed_json', 400), detail });
  expect(JSON.stringify(response.body)).not.toMatch(/secret/);
});

test.each([
  ['in an inner object', '{\n  "phone": { "number": 1, "number": 2 }\n}', 'phone.number', 'Line 2, column 27: '],
  ['in an object in a list', '{"a":[[1,2],{"b":1,\n"\\u0062":2}]}', 'a.1.b', 'Line 2, column 1: '],
  ['after a text with braces, brackets and quotes', '{"a":"{[,\\"","b":{"c":1},"b":2}', 'b', 'Line 1, column 26: '],
])('a repeated field is listed with its path: %s', async (_, raw, path, position) => {
  const response = await world.post('/v1/transaction', { rawBody: raw });
  expect(response.body).toMatchObject({
    code: 'duplicate_field',
    detail: expect.stringContaining(position),
    errors: { [path]: ['appears twice'] },
  });
});

test('a body that is not in UTF-8 is rejected', async () => {
  const response = await world.post('/v1/transaction', { rawBody: new Uint8Array([0x7b, 0xff, 0x7d]) });
  expect(response.body).toMatchObject({ detail: expect.stringMatching(/^The body is not in UTF-8/) });
});
