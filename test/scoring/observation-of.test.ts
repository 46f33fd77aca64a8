import { observationOf } from '../../store/transactions/observed-values';
import { type ObservedKind, observedKinds } from '../../domain/scoring/evidence';
import type { TransactionInput } from '../../domain/transactions/input';
import { createTestKeys } from '../support/test-keys';
import { testKeys } from '../support/build';

const minimalInput: TransactionInput = { documentType: 'CPF', document: '52998224725' };

/** `circle`: one tenant, such as `tenant/local`, or all tenants that share their history (`shared`). */
const valuesOf = (input: Partial<TransactionInput>, circle = 'tenant/local', keys = testKeys) =>
  observationOf(
    keys,
    { tenant: 'local', id: 't', createdAt: '2026-01-01T12:00:00.000Z', input: { ...minimalInput, ...input } },
    circle,
  ).values;

const withEmail = (email: string) => ({ email });
const withName = (name: string) => ({ name });
const withDocument = (documentType: string, document: string) => ({ documentType, document });
const withZipCode = (zipCode: string) => ({ address: { zipCode } });
const withPhone = (countryCode: number, number: number, areaCode?: number) => ({
  phone: { countryCode, number, ...(areaCode === undefined ? {} : { areaCode }) },
});

it.each<[ObservedKind, Partial<TransactionInput>, Partial<TransactionInput>]>([
  ['Document', withDocument('CPF', '52998224725'), withDocument('cpf ', '529.982.247-25')],
  ['Document', withDocument('CNPJ', '12ABC34501DE35'), withDocument('cnpj', '12.abc.345/01de-35')],
  [
    'Phone',
    withPhone(55, 987654321, 11),
    { phone: { countryCode: 55, areaCode: 11, number: 987654321, verified: true } },
  ],
  ['Email', withEmail('maria@example.com'), withEmail('MARIA+loja@Example.COM')],
  ['Email', withEmail('mariasilva@gmail.com'), withEmail('Maria.Silva+x@gmail.com')],
  ['Email', withEmail('mariasilva@gmail.com'), withEmail('maria.silva@GoogleMail.com')],
  ['Email', withEmail('maria.silva@protonmail.com'), withEmail('mariasilva@pm.me')],
  ['Email', withEmail('maria@bücher.example'), withEmail('maria@XN--BCHER-KVA.example')],
  ['Email', withEmail('jos\u00e9@example.com'), withEmail('jose\u0301@example.com')],
  ['Email', withEmail('maria@example.com'), withEmail('ma\ufe0fria@example.com')],
  ['Email', withEmail('maria@example.com'), withEmail('ｍaria@example.com')],
  ['Phone', withPhone(55, 987654321, 11), withPhone(55, 87654321, 11)],
  ['Card', { card: { bin: '411111', last4: '1234' } }, { card: { bin: '41111122', last4: '1234' } }],
  ['Session', { sessionId: 's-1' }, { sessionId: 's-\u200b1' }],
  ['ZipCode', withZipCode('01310100'), withZipCode('01310-100')],
  ['Name', withName('João da Silva'), withName('SILVA, Joao')],
  ['Session', { sessionId: 's-1' }, { sessionId: ' s-1 ' }],
  ['Identifier', { identifierId: 'i-1' }, { identifierId: 'i-1\n' }],
])('the hash of %s is the same for %j and %j', (kind, left, right) => {
  expect(valuesOf(left)[kind]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(valuesOf(right)[kind]).toBe(valuesOf(left)[kind]);
});

it.each<[ObservedKind, Partial<TransactionInput>, Partial<TransactionInput>]>([
  ['Document', withDocument('CPF', '52998224725'), withDocument('RG', '52998224725')],
  ['Phone', withPhone(55, 987654321, 11), withPhone(55, 987654321, 12)],
  ['Email', withEmail('maria.silva@example.com'), withEmail('mariasilva@example.com')],
  ['Email', withEmail('maria@gmail.com'), withEmail('maria@gmail.com.br')],
  ['Email', withEmail('maria@gmail.com'), withEmail('maria@proton.me')],
  ['Email', withEmail('maria-silva@gmail.com'), withEmail('mariasilva@gmail.com')],
  ['Email', withEmail('+one@example.com'), withEmail('+two@example.com')],
  ['Phone', withPhone(55, 987654321, 11), withPhone(55, 32654321, 11)],
  ['ZipCode', withZipCode('01310100'), withZipCode('01310101')],
  ['Name', withName('João Silva'), withName('João Silva Souza')],
  ['Card', { card: { bin: '411111', last4: '1234' } }, { card: { bin: '411111', last4: '1235' } }],
  ['Session', { sessionId: 's-1' }, { sessionId: 'S-1' }],
])('the hash of %s differs for %j and %j', (kind, left, right) => {
  expect(valuesOf(left)[kind]).toBeDefined();
  expect(valuesOf(right)[kind]).toBeDefined();
  expect(valuesOf(right)[kind]).not.toBe(valuesOf(left)[kind]);
});

it.each<[ObservedKind, Partial<TransactionInput>]>([
  ['Document', withDocument('CPF', '.-/')],
  ['Phone', {}],
  ['Email', withEmail('nobody')],
  ['Email', withEmail('@example.com')],
  ['Email', withEmail('maria@')],
  ['ZipCode', withZipCode('1310100')],
  ['ZipCode', withZipCode('013101000')],
  ['ZipCode', withZipCode('')],
  ['Name', withName('Maria')],
  ['Name', withName('Maria da')],
  ['Name', withName('123')],
  ['Card', { card: { bin: '411111' } }],
  ['Card', { card: { last4: '1234' } }],
  ['Card', { card: { bin: '', last4: '1234' } }],
  ['Session', { sessionId: ' ' }],
  ['Identifier', { identifierId: '' }],
])('an observation has no hash of %s for %j', (kind, input) => {
  expect(valuesOf(input)).not.toHaveProperty(kind);
});

it('an observation of a complete person has a hash for every kind of data, and no confirmation or denial', () => {
  const input = {
    ...minimalInput,
    ...withName('Maria Silva'),
    ...withEmail('maria@example.com'),
    ...withPhone(55, 987654321, 11),
    ...withZipCode('01310100'),
    card: { bin: '411111', last4: '1234' },
    sessionId: 's-1',
    identifierId: 'i-1',
  };
  const subject = { tenant: 'local', id: 't', createdAt: '2026-01-01T12:00:00.000Z', input };
  const { values, ...otherFields } = observationOf(testKeys, subject, 'shared');
  expect(Object.keys(values).toSorted()).toEqual([...observedKinds].toSorted());
  expect(otherFields).toEqual({
    circle: 'shared',
    tenant: 'local',
    transactionId: 't',
    at: '2026-01-01T12:00:00.000Z',
    confirmed: { phone: false, email: false },
    denied: false,
  });
});

it('the same value has a different hash in each circle of tenants, for each kind of data, and with each root secret', () => {
  const input = { sessionId: 'same', identifierId: 'same' };
  const otherKeys = createTestKeys(Buffer.alloc(32, 8).toString('base64'));
  const hashes = [
    valuesOf(input),
    valuesOf(input, 'tenant/other'),
    valuesOf(input, 'shared'),
    valuesOf(input, 'tenant/local', otherKeys),
  ].flatMap(({ Session, Identifier }) => [Session, Identifier]);
  expect(new Set(hashes).size).toBe(8);
});
