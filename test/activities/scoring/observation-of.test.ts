import { observationOf } from '../../../activities/scoring/observation-of';
import { type LinkVariable, linkVariables } from '../../../domain/scoring/evidence';
import type { TransactionInput } from '../../../domain/transaction';
import { deriveKeys } from '../../../platform/keys';
import { testKeys } from '../../support/build';

const bare: TransactionInput = { documentType: 'CPF', document: '52998224725' };

const valuesOf = (input: Partial<TransactionInput>, circle = 'tenant/local', keys = testKeys) =>
  observationOf(
    keys,
    { tenant: 'local', id: 't', createdAt: '2026-01-01T12:00:00.000Z', input: { ...bare, ...input } },
    circle,
  ).values;

const mail = (email: string) => ({ email });
const named = (name: string) => ({ name });
const kind = (documentType: string, document: string) => ({ documentType, document });
const zip = (zipCode: string) => ({ address: { zipCode } });
const phone = (countryCode: number, number: number, areaCode?: number) => ({
  phone: { countryCode, number, ...(areaCode === undefined ? {} : { areaCode }) },
});

it.each<[LinkVariable, Partial<TransactionInput>, Partial<TransactionInput>]>([
  ['Document', kind('CPF', '52998224725'), kind('cpf ', '529.982.247-25')],
  ['Document', kind('CNPJ', '12ABC34501DE35'), kind('cnpj', '12.abc.345/01de-35')],
  ['Phone', phone(55, 987654321, 11), { phone: { countryCode: 55, areaCode: 11, number: 987654321, verified: true } }],
  ['Email', mail('maria@example.com'), mail('MARIA+loja@Example.COM')],
  ['Email', mail('mariasilva@gmail.com'), mail('Maria.Silva+x@gmail.com')],
  ['Email', mail('mariasilva@gmail.com'), mail('maria.silva@GoogleMail.com')],
  ['Email', mail('maria@bücher.example'), mail('maria@XN--BCHER-KVA.example')],
  ['Email', mail('jos\u00e9@example.com'), mail('jose\u0301@example.com')],
  ['Email', mail('maria@example.com'), mail('ma\ufe0fria@example.com')],
  ['Email', mail('maria@example.com'), mail('ｍaria@example.com')],
  ['Phone', phone(55, 987654321, 11), phone(55, 87654321, 11)],
  ['Card', { card: { bin: '411111', last4: '1234' } }, { card: { bin: '41111122', last4: '1234' } }],
  ['Session', { sessionId: 's-1' }, { sessionId: 's-\u200b1' }],
  ['ZipCode', zip('01310100'), zip('01310-100')],
  ['Name', named('João da Silva'), named('SILVA, Joao')],
  ['Session', { sessionId: 's-1' }, { sessionId: ' s-1 ' }],
  ['Identifier', { identifierId: 'i-1' }, { identifierId: 'i-1\n' }],
])('%s is the same for %j and %j', (variable, left, right) => {
  expect(valuesOf(left)[variable]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(valuesOf(right)[variable]).toBe(valuesOf(left)[variable]);
});

it.each<[LinkVariable, Partial<TransactionInput>, Partial<TransactionInput>]>([
  ['Document', kind('CPF', '52998224725'), kind('RG', '52998224725')],
  ['Phone', phone(55, 987654321, 11), phone(55, 987654321, 12)],
  ['Email', mail('maria.silva@example.com'), mail('mariasilva@example.com')],
  ['Email', mail('maria@gmail.com'), mail('maria@gmail.com.br')],
  ['Email', mail('+one@example.com'), mail('+two@example.com')],
  ['Phone', phone(55, 987654321, 11), phone(55, 32654321, 11)],
  ['ZipCode', zip('01310100'), zip('01310101')],
  ['Name', named('João Silva'), named('João Silva Souza')],
  ['Card', { card: { bin: '411111', last4: '1234' } }, { card: { bin: '411111', last4: '1235' } }],
  ['Session', { sessionId: 's-1' }, { sessionId: 'S-1' }],
])('%s of %j differs from that of %j', (variable, left, right) => {
  expect(valuesOf(left)[variable]).toBeDefined();
  expect(valuesOf(right)[variable]).toBeDefined();
  expect(valuesOf(right)[variable]).not.toBe(valuesOf(left)[variable]);
});

it.each<[LinkVariable, Partial<TransactionInput>]>([
  ['Document', kind('CPF', '.-/')],
  ['Phone', {}],
  ['Email', mail('nobody')],
  ['Email', mail('@example.com')],
  ['Email', mail('maria@')],
  ['ZipCode', zip('1310100')],
  ['ZipCode', zip('013101000')],
  ['ZipCode', zip('')],
  ['Name', named('Maria')],
  ['Name', named('Maria da')],
  ['Name', named('123')],
  ['Card', { card: { bin: '411111' } }],
  ['Card', { card: { last4: '1234' } }],
  ['Card', { card: { bin: '', last4: '1234' } }],
  ['Session', { sessionId: ' ' }],
  ['Identifier', { identifierId: '' }],
])('%s is absent in %j', (variable, input) => {
  expect(valuesOf(input)).not.toHaveProperty(variable);
});

it('has every variable of a complete person, and none is confirmed or denied', () => {
  const input = {
    ...bare,
    ...named('Maria Silva'),
    ...mail('maria@example.com'),
    ...phone(55, 987654321, 11),
    ...zip('01310100'),
    card: { bin: '411111', last4: '1234' },
    sessionId: 's-1',
    identifierId: 'i-1',
  };
  const subject = { tenant: 'local', id: 't', createdAt: '2026-01-01T12:00:00.000Z', input };
  const { values, ...rest } = observationOf(testKeys, subject, 'shared');
  expect(Object.keys(values).toSorted()).toEqual([...linkVariables].toSorted());
  expect(rest).toEqual({
    tenant: 'local',
    transactionId: 't',
    at: '2026-01-01T12:00:00.000Z',
    confirmed: { phone: false, email: false },
    denied: false,
  });
});

it('differs in every graph, for every variable and with every key', () => {
  const one = { sessionId: 'same', identifierId: 'same' };
  const otherKeys = deriveKeys(Buffer.alloc(32, 8).toString('base64'));
  const all = [
    valuesOf(one),
    valuesOf(one, 'tenant/other'),
    valuesOf(one, 'shared'),
    valuesOf(one, 'tenant/local', otherKeys),
  ].flatMap(({ Session, Identifier }) => [Session, Identifier]);
  expect(new Set(all).size).toBe(8);
});
