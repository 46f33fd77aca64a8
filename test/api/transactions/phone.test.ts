import { toE164, type TransactionInput } from '../../../domain/transactions/input';
import { hashSearchedData } from '../../../store/transactions/observed-values';
import { ApiWorld } from '../api-world';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

const document = { documentType: 'CPF', document: '52998224725' };

/** Creates a transaction with a phone. Returns the phone in the answer, and the input in the state. */
async function create(phone: object): Promise<{ answer: unknown; input: TransactionInput }> {
  const { status, body } = await world.post('/v1/transaction', { body: { ...document, phone } });
  expect(status).toBe(201);
  const { id, phone: answer } = body as { id: string; phone: unknown };
  const state = world.transactions.states.get(`local/${id}`);
  if (!state) throw new Error('The transaction was not created.');
  return { answer, input: state.input };
}

const spellings = [
  { countryCode: 225, number: 720777504 },
  { countryCode: 225, number: '0720777504' },
];

test.each(spellings)('the phone %j gets its messages under its whole number', async (phone) => {
  const { input } = await create(phone);
  expect(input.phone && toE164(input.phone)).toBe('+2250720777504');
});

test.each(spellings)('the answer shows the phone %j as integers, as SPEC says', async (phone) => {
  expect((await create(phone)).answer).toEqual({ countryCode: 225, number: 720777504 });
  const withArea = { countryCode: 39, areaCode: '06', number: '12345678', verified: true };
  const { answer } = await create(withArea);
  expect(answer).toEqual({ ...withArea, areaCode: 6, number: 12345678 });
  expect(Object.keys(answer as object)).toEqual(Object.keys(withArea));
});

test('the integer and the digits of one phone give the same input, so they share idempotency keys and links', async () => {
  const [first, second] = await Promise.all(spellings.map(create));
  expect(second?.input).toEqual(first?.input);
});

test('a number whose integers are complete is stored as before, so fingerprints and hashes stay the same', async () => {
  const phone = { countryCode: 55, areaCode: 11, number: 987654321 };
  expect((await create(phone)).input.phone).toEqual(phone);
  expect((await create({ ...phone, areaCode: '11', number: '987654321' })).input.phone).toEqual(phone);
});

test('a search finds a phone by its integer and by its digits', async () => {
  const { keys } = world.dependencies;
  const searched = await Promise.all(spellings.map(async (phone) => (await create(phone)).input.phone));
  const hashes = searched.map((phone) => phone && hashSearchedData(keys, 'local', { phone })?.hash);
  expect(hashes[0]).toBe(hashes[1]);
  expect(hashes[0]).not.toBe(hashSearchedData(keys, 'local', { phone: { countryCode: 225, number: 720777504 } })?.hash);
});

test.each([
  ['number', { countryCode: 225, number: '07 20 77 75 04' }],
  ['number', { countryCode: 225, number: '+2250720777504' }],
  ['number', { countryCode: 225, number: '0000000000' }],
  ['number', { countryCode: 225, number: '012345678901234' }],
  ['number', { countryCode: 225, number: null }],
  ['number', { countryCode: 225, number: 999 }],
  ['number', { countryCode: 225 }],
  ['areaCode', { countryCode: 39, areaCode: '00', number: 12345678 }],
  ['areaCode', { countryCode: 39, areaCode: 'x', number: 12345678 }],
  ['number', { countryCode: 55, areaCode: 11, number: '0987654321' }],
])('an invalid %s is rejected with one error: %j', async (field, phone) => {
  const { status, body } = await world.post('/v1/transaction', { body: { ...document, phone } });
  expect([status, body]).toEqual([
    400,
    expect.objectContaining({ errors: { [`phone.${field}`]: [expect.stringMatching(/^(?:must|is required)/)] } }),
  ]);
});
