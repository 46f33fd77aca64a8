import { documentEvidence, isCompany, normalizeDocument } from '../../scoring/evidence/person';

const find = (documentType: string, document: string) => documentEvidence({ documentType, document });

describe('a CPF', () => {
  it.each([
    ['52998224725', ['ES', 'RJ']],
    ['529.982.247-25', ['ES', 'RJ']],
    ['11144477735', ['ES', 'RJ']],
    ['111.444.777-35', ['ES', 'RJ']],
    ['12345678909', ['PR', 'SC']],
    ['00000000191', ['DF', 'GO', 'MS', 'MT', 'TO']],
  ])('the CPF %s has valid check digits and a fiscal region', (document, states) => {
    expect(find('cpf', document)).toMatchObject({ kind: 'CPF', checkDigits: 'right', repeated: false, states });
  });

  it.each(['12345678912', '52998224726', '52998224752', '5299822472', '529982247255', '5299822472X', ''])(
    'the CPF %s has invalid check digits and no fiscal region',
    (document) => {
      const evidence = find('CPF', document);
      expect(evidence).toMatchObject({ kind: 'CPF', checkDigits: 'wrong' });
      expect(evidence.states).toBeUndefined();
    },
  );

  it.each([
    ['111.444.770-69', 'RS'],
    ['111.444.771-40', 'DF GO MS MT TO'],
    ['111.444.772-20', 'AC AM AP PA RO RR'],
    ['111.444.773-01', 'CE MA PI'],
    ['111.444.774-92', 'AL PB PE RN'],
    ['111.444.775-73', 'BA SE'],
    ['111.444.776-54', 'MG'],
    ['111.444.777-35', 'ES RJ'],
    ['111.444.778-16', 'SP'],
    ['111.444.779-05', 'PR SC'],
  ])('the CPF %s belongs to the fiscal region of %s', (document, states) => {
    expect(find('CPF', document).states?.join(' ')).toBe(states);
  });

  it.each(['111.444.777-36', '111.444.777-53', '111.444.787-35', '111.447.477-35'])(
    'the CPF %s is almost valid, but has wrong check digits',
    (document) => {
      expect(find('CPF', document).checkDigits).toBe('wrong');
    },
  );

  it('a CPF that repeats one digit has valid check digits, and is marked as repeated', () => {
    expect(find('CPF', '111.111.111-11')).toMatchObject({ checkDigits: 'right', repeated: true });
  });
});

describe('a CNPJ', () => {
  it.each([
    ['11.222.333/0001-81', false],
    ['00000000000191', false],
    ['12.ABC.345/01DE-35', true],
    ['12abc34501de35', true],
  ])('the CNPJ %s has valid check digits', (document, alphanumeric) => {
    expect(find('CNPJ', document)).toEqual({ kind: 'CNPJ', checkDigits: 'right', repeated: false, alphanumeric });
  });

  it.each([
    '12345678901234',
    '12.ABC.345/01DE-36',
    '12.ABC.345/01DE-53',
    // In a CNPJ, A counts as 17, B as 18, and so on. If A counted as 10, B as 11, and so on, the check digits would be 45.
    '12.ABC.345/01DE-45',
    '12.ABD.345/01DE-35',
    '12.BAC.345/01DE-35',
    '12.ABC.345/01D-35',
    '12.ABC.345/01DE-3A',
    '11.222.333/0001-80',
    '11.222.333/0001-18',
    '11.222.333/0002-81',
    '1122233300018',
  ])('the CNPJ %s has invalid check digits', (document) => {
    expect(find('CNPJ', document).checkDigits).toBe('wrong');
  });

  it('a CNPJ that repeats one digit is marked as repeated', () => {
    expect(find('CNPJ', '00000000000000').repeated).toBe(true);
  });
});

it('a document of an unknown kind is never reported as wrong', () => {
  expect(find('RG', '123')).toEqual({ kind: 'unknown', checkDigits: 'right', repeated: false, alphanumeric: false });
});

it('a document is normalized to capitals without punctuation', () => {
  expect(normalizeDocument(' 12.abc.345/01de-35 ')).toBe('12ABC34501DE35');
});

it.each([
  ['CNPJ', true],
  ['cnpj', true],
  ['CPF', false],
  ['RG', false],
])('the document type %s belongs to a company: %s', (documentType, company) => {
  expect(isCompany({ documentType })).toBe(company);
});
