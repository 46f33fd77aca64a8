import { ApiWorld } from '../api-world';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

const document = { documentType: 'CPF', document: '52998224725' };

test.each(['toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', '__defineGetter__'])(
  'a field called %s is an unknown field like any other',
  async (name) => {
    const response = await world.request('/v1/transaction', { body: { ...document, [name]: 1 } });
    expect(response).toMatchObject({
      status: 400,
      body: { code: 'unknown_field', errors: { [name]: expect.any(Array) } },
    });
  },
);

test.each([
  [
    { ...document, phone: { countryCode: '55', areaCode: 11, number: 987654321 } },
    'phone.countryCode',
    /without quotes/,
  ],
  [{ documentType: 'CPF' }, 'document', /is required/],
  [{ ...document, email: 'a@xn--a.com' }, 'email', /e-mail address/],
  [{ ...document, phone: { areaCode: 11, number: 987654321 } }, 'phone.countryCode', /^is required$/],
  [{ ...document, phone: { countryCode: 55, number: 987654321 } }, 'phone.areaCode', /must have two digits/],
  [{ ...document, name: null }, 'name', /^must be a string$/],
])('the error for the body %j says what to change', async (body, field, message) => {
  const response = await world.request('/v1/transaction', { body });
  expect(response).toMatchObject({ status: 400, body: { errors: { [field]: [expect.stringMatching(message)] } } });
});
