import { transactionResponse } from '../../../api/transactions/transaction-response';
import { Problem } from '../../../api/http/problem';
import { ApiWorld, person, problemShape } from '../api-world';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

const path = '/v1/transaction';
const minimalBody = { documentType: 'CPF', document: '52998224725' };
const create = (body: unknown) => world.post(path, { body });

describe('POST /v1/transaction returns 201 for valid bodies', () => {
  test('a body with few fields is accepted, and missing fields stay absent in the response (SPEC, rule 1)', async () => {
    const { status, headers, body } = await create({ ...minimalBody, genericFields: { order: '1' } });
    expect(status).toBe(201);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(body as object)).toEqual([
      'id',
      'createdAt',
      'documentType',
      'document',
      'verifiedEmail',
      'referenceDate',
      'type',
      'genericFields',
    ]);
    expect(body).toMatchObject({ verifiedEmail: false, type: 1, genericFields: { order: '1' } });
    expect(headers.get('location')).toBe(`${path}/${(body as { id: string }).id}`);
  });

  test('a body with every documented field is accepted, and the response has the order of SPEC', async () => {
    const fullBody = {
      secondaryDocument: '12.abc.345/01DE-35',
      secondaryDocumentType: 'CNPJ',
      card: { bin: '411111', last4: '1111', ownerDocument: '529.982.247-25', ownerName: 'M SILVA' },
      criterion: 0,
      genericFields: { locale: 'pt-BR' },
      type: 2,
      identifierDate: '2026-01-31T12:00:00Z',
      ...person,
      birthdate: '1990-02-28',
      mothersName: 'Ana Silva',
      verifiedEmail: true,
      sessionId: 's',
      identifierId: 'i',
      endUserIp: '::ffff:203.0.113.7',
      channelId: null,
      address: {
        zipCode: '01310-100',
        street: 'Av.',
        number: '1',
        complement: '',
        district: 'd',
        city: 'c',
        state: 'sp',
      },
    };
    const { status, body } = await create(fullBody);
    expect(status).toBe(201);
    transactionResponse.parse(body);
    expect(body).toMatchObject({
      document: '52998224725',
      secondaryDocument: '12ABC34501DE35',
      endUserIp: '203.0.113.7',
      channelId: null,
      criterion: 0,
      address: { zipCode: '01310100', state: 'SP' },
      card: { ownerDocument: '52998224725' },
    });
    expect(Object.keys(body as object)).toEqual(Object.keys(transactionResponse.shape));
  });

  test.each([
    ['documentType may be in lower case', { documentType: 'cpf', document: '52998224725' }],
    ['the check digits of a document may be wrong', { documentType: 'CPF', document: '52998224700' }],
    ['an unknown kind of document is accepted', { documentType: 'Passport', document: 'AB-123456' }],
    ['genericFields may be null', { ...minimalBody, genericFields: null }],
    ['a landline is accepted', { ...minimalBody, phone: { countryCode: 55, areaCode: 11, number: 32345678 } }],
    ['a foreign phone needs no area code', { ...minimalBody, phone: { countryCode: 351, number: 912345678 } }],
    [
      'a foreign address may have any postal code',
      { ...minimalBody, address: { country: 'Portugal', zipCode: '1000-001', state: 'Lisboa' } },
    ],
    ['an e-mail address may have letters with accents', { ...minimalBody, email: 'joão@exämple.com' }],
    ['a mail domain may have combining marks', { ...minimalBody, email: 'x@उदाहरण.भारत' }],
    ['a mail domain may have joiners', { ...minimalBody, email: 'x@ශ්‍රී.example' }],
    ['a mail domain may be in punycode', { ...minimalBody, email: 'x@xn--mnchen-3ya.de' }],
    ['a birthdate may be a leap day', { ...minimalBody, birthdate: '2000-02-29' }],
  ])('a body is accepted: %s', async (_, body) => {
    const response = await create(body);
    expect(response.status).toBe(201);
    transactionResponse.parse(response.body);
  });
});

test('an e-mail address is returned with composed characters', async () => {
  const { status, body } = await create({ ...minimalBody, email: 'joa\u0303o@mu\u0308nchen.de' });
  expect([status, body]).toEqual([201, expect.objectContaining({ email: 'jo\u00e3o@m\u00fcnchen.de' })]);
});

test('all mistakes of a body are reported, also those of rules over several fields', async () => {
  const { body } = await create({
    documentType: 'CPF',
    document: '1',
    secondaryDocumentType: 'CNPJ',
    secondaryDocument: '1',
    birthdate: 'x',
    email: 'x',
    name: 'a\u202eb',
    verifiedEmail: 'x',
    phone: { countryCode: 55, areaCode: 'x', number: 1234567 },
    address: { zipCode: '1', state: 'XX', city: 1 },
    more: 1,
  });
  expect(body).toMatchObject({ code: 'validation_failed' });
  expect(Object.keys((body as { errors: object }).errors).toSorted()).toEqual(
    [
      ...['document', 'secondaryDocument', 'birthdate', 'email', 'name', 'verifiedEmail', 'more'],
      ...['phone.areaCode', 'phone.number', 'address.zipCode', 'address.state', 'address.city'],
    ].toSorted(),
  );
});

test.each([
  ['2026-01-31t12:00:00z', '2026-01-31T12:00:00Z'],
  ['2026-01-31t12:00:00.123456-03:00', '2026-01-31T12:00:00.123456-03:00'],
  ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59Z'],
  ['2016-12-31T20:59:60.5-03:00', '2016-12-31T20:59:59.5-03:00'],
  ['2015-07-01T05:29:60+05:30', '2015-07-01T05:29:59+05:30'],
])('the time %s of RFC 3339 is accepted', async (identifierDate, saved) => {
  const { status, body } = await create({ ...minimalBody, identifierDate });
  expect([status, body]).toEqual([201, expect.objectContaining({ identifierDate: saved })]);
});

test('a body with all generic fields at their limits is accepted, also with escaped characters', async () => {
  const key = (index: number) => `${index}`.padStart(128, '中');
  const genericFields = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [key(index), '中'.repeat(512)]));
  const escaped = JSON.stringify({ ...minimalBody, genericFields }).replaceAll('中', '\\u4e2d');
  for (const rawBody of [escaped, escaped.replaceAll('\\u4e2d', '中')])
    expect(await world.post(path, { rawBody })).toMatchObject({ status: 201, body: { genericFields } });
});

describe('POST /v1/transaction returns 400 for invalid bodies and keys', () => {
  const longText = (length: number) => 'x'.repeat(length);
  const buildFields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
  const invalidBodies: [name: string, body: unknown, field: string][] = [
    ['a missing document', { documentType: 'CPF' }, 'document'],
    ['a missing kind of document', { document: '52998224725' }, 'documentType'],
    ['a kind of document in lookalike letters', { documentType: '\u0421PF', document: '52998224725' }, 'documentType'],
    ['a short CPF with the kind c-p f', { documentType: 'c-p f', document: '5299822472' }, 'document'],
    ['a short CPF', { documentType: 'CPF', document: '5299822472' }, 'document'],
    ['a CPF with letters', { documentType: 'cpf', document: '5299822472A' }, 'document'],
    ['a short CNPJ', { documentType: 'CNPJ', document: '12ABC34501DE3' }, 'document'],
    ['a document of punctuation', { documentType: 'Other', document: '***' }, 'document'],
    ['a document that is a number', { documentType: 'CPF', document: 52998224725 }, 'document'],
    [
      'a wrong secondary document',
      { ...minimalBody, secondaryDocumentType: 'CPF', secondaryDocument: '1' },
      'secondaryDocument',
    ],
    ['a day that does not exist', { ...minimalBody, birthdate: '2001-02-29' }, 'birthdate'],
    ['a birthdate in the future', { ...minimalBody, birthdate: '2999-01-01' }, 'birthdate'],
    ['a birthdate before 1900', { ...minimalBody, birthdate: '1899-12-31' }, 'birthdate'],
    ['an invalid e-mail address', { ...minimalBody, email: 'maria' }, 'email'],
    ['two e-mail addresses', { ...minimalBody, email: 'a@example.com,b@example.com' }, 'email'],
    ['an e-mail address with a line break', { ...minimalBody, email: 'a@example.com\nBcc: b@example.com' }, 'email'],
    ['a mail domain that ends with a hyphen', { ...minimalBody, email: 'x@example.co-' }, 'email'],
    ['a mail domain that begins with a hyphen', { ...minimalBody, email: 'x@-example.com' }, 'email'],
    ['a mail domain with an underscore', { ...minimalBody, email: 'x@exa_mple.com' }, 'email'],
    ['a mail domain with a percent sign', { ...minimalBody, email: 'x@ex%61mple.com' }, 'email'],
    ['a mail domain with a path', { ...minimalBody, email: 'x@example.com/a.com' }, 'email'],
    ['a mail domain of one label', { ...minimalBody, email: 'x@localhost' }, 'email'],
    ['a mail domain with a long label', { ...minimalBody, email: `x@${longText(64)}.com` }, 'email'],
    ['an IPv4 address as mail domain', { ...minimalBody, email: 'x@192.0.2.1' }, 'email'],
    ['a hexadecimal IPv4 address as mail domain', { ...minimalBody, email: 'x@0xc0.0x201' }, 'email'],
    ['a mailbox of more than 64 octets', { ...minimalBody, email: `${'ã'.repeat(33)}@example.com` }, 'email'],
    ['a name with a line break', { ...minimalBody, name: 'a\r\nb' }, 'name'],
    ['a long name', { ...minimalBody, name: longText(201) }, 'name'],
    ['an IP address with a port', { ...minimalBody, endUserIp: '203.0.113.7:80' }, 'endUserIp'],
    ['an IP address with a zone', { ...minimalBody, endUserIp: 'fe80::1%eth0' }, 'endUserIp'],
    ['a long IP address', { ...minimalBody, endUserIp: longText(46) }, 'endUserIp'],
    ['a flag that is text', { ...minimalBody, verifiedEmail: 'true' }, 'verifiedEmail'],
    [
      'a Brazilian phone without an area code',
      { ...minimalBody, phone: { countryCode: 55, number: 987654321 } },
      'phone.areaCode',
    ],
    [
      'a Brazilian phone that is too short',
      { ...minimalBody, phone: { countryCode: 55, areaCode: 11, number: 1234567 } },
      'phone.number',
    ],
    [
      'nine digits that are not a mobile number',
      { ...minimalBody, phone: { countryCode: 55, areaCode: 11, number: 887654321 } },
      'phone.number',
    ],
    [
      'a phone longer than E.164',
      { ...minimalBody, phone: { countryCode: 351, areaCode: 999, number: 99999999999 } },
      'phone.number',
    ],
    [
      'a phone that is text',
      { ...minimalBody, phone: { countryCode: '55', areaCode: 11, number: 987654321 } },
      'phone.countryCode',
    ],
    ['a number that is too large', { ...minimalBody, criterion: 1e308 }, 'criterion'],
    ['a negative type', { ...minimalBody, type: -1 }, 'type'],
    ['a type with a fraction', { ...minimalBody, type: 1.5 }, 'type'],
    ['a type over 32 bits', { ...minimalBody, type: 2_147_483_648 }, 'type'],
    ['a postal code of seven digits', { ...minimalBody, address: { zipCode: '0131010' } }, 'address.zipCode'],
    ['a state that does not exist', { ...minimalBody, address: { state: 'XX' } }, 'address.state'],
    ['a bin of seven digits', { ...minimalBody, card: { bin: '4111111' } }, 'card.bin'],
    ['three digits in place of the last four of a card', { ...minimalBody, card: { last4: '111' } }, 'card.last4'],
    [
      'a leap second in the middle of a month',
      { ...minimalBody, identifierDate: '2026-01-15T23:59:60Z' },
      'identifierDate',
    ],
    ['a leap second at noon', { ...minimalBody, identifierDate: '2016-12-31T12:00:60Z' }, 'identifierDate'],
    ['an instant without a zone', { ...minimalBody, identifierDate: '2026-01-31T12:00:00' }, 'identifierDate'],
    ['too many generic fields', { ...minimalBody, genericFields: buildFields(51) }, 'genericFields'],
    [
      'a long name of a generic field',
      { ...minimalBody, genericFields: { [longText(129)]: 'v' } },
      `genericFields.${longText(100)}`,
    ],
    ['a long value of a generic field', { ...minimalBody, genericFields: { k: longText(513) } }, 'genericFields.k'],
    ['a generic field whose value is a number', { ...minimalBody, genericFields: { k: 1 } }, 'genericFields.k'],
    ['NUL in a text', { ...minimalBody, genericFields: { k: 'a\u0000b' } }, 'genericFields.k'],
    ['half a surrogate pair', { ...minimalBody, genericFields: { k: 'a\ud800b' } }, 'genericFields.k'],
    ['NUL in a name', { ...minimalBody, genericFields: { 'a\u0000': 'b' } }, 'genericFields'],
    ['a list in place of an object', [minimalBody], 'body'],
    ['null in place of an object', null, 'body'],
    ['a channel that is a number', { ...minimalBody, channelId: 4 }, 'channelId'],
  ];
  test.each(invalidBodies)('a body with %s gets errors only at the field with this mistake', async (_, body, field) => {
    const response = await create(body);
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(response.status).toBe(400);
    expect(response.body).toEqual({
      ...problemShape('validation_failed', 400),
      errors: expect.objectContaining({ [field]: expect.any(Array) }),
    });
    expect(Object.keys((response.body as { errors: object }).errors)).toEqual([field]);
  });

  test('an invalid date gets exactly one error message', async () => {
    const { body } = await create({ ...minimalBody, birthdate: '31/02/1990' });
    expect(body).toMatchObject({ errors: { birthdate: ['must be a real date as YYYY-MM-DD'] } });
  });

  test.each([
    ['number', '98765-4321', 'must be a phone number in digits only, without country and area code'],
    ['areaCode', '(11)', 'must be an area code in digits only, such as 11'],
  ])('a phone with the mask %s %s gets an error that asks for digits', async (part, value, message) => {
    const { body } = await create({ ...minimalBody, phone: { ...person.phone, [part]: value } });
    expect(body).toMatchObject({ errors: { [`phone.${part}`]: [message] } });
  });

  const serviceFields = ['id', 'createdAt', 'referenceDate', 'complements'];
  test.each([...serviceFields, 'documenttype', 'phone.Number', 'address.zip', 'card.number'])(
    'the unknown field %s is rejected, and the error names this field',
    async (field) => {
      const [outer = '', inner] = field.split('.');
      const response = await create({
        ...minimalBody,
        [outer]: inner ? { ...(outer === 'phone' ? person.phone : {}), [inner]: 'x' } : 'x',
      });
      expect(response.body).toEqual({
        ...problemShape('unknown_field', 400),
        errors: { [field]: [expect.any(String)] },
      });
    },
  );

  const rawBodies: [name: string, raw: string | Uint8Array, code: string][] = [
    ['invalid JSON', '{"documentType":', 'malformed_json'],
    ['two values', '{} {}', 'malformed_json'],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'malformed_json'],
    ['a field twice', '{"document":"1","document":"2"}', 'duplicate_field'],
    ['a field twice, once escaped', '{"document":"1","docu\\u006dent":"2"}', 'duplicate_field'],
    ['nine levels of lists and objects', `{"a":${'['.repeat(8)}${']'.repeat(8)}}`, 'body_too_deep'],
    ['ten thousand levels of lists', '['.repeat(10_000), 'body_too_deep'],
    ['a thousand fields', JSON.stringify(buildFields(1_000)), 'too_many_fields'],
    ['a number that is too large', '{"documentType":"CPF","document":"52998224725","type":1e400}', 'validation_failed'],
    [
      'the field __proto__',
      '{"documentType":"CPF","document":"52998224725","__proto__":{"type":2}}',
      'validation_failed',
    ],
    [
      'the generic field constructor',
      '{"documentType":"CPF","document":"52998224725","genericFields":{"constructor":"x"}}',
      'validation_failed',
    ],
  ];
  test.each(rawBodies)('a raw body with %s is rejected', async (_, text, code) => {
    const response = await world.post(path, { rawBody: text });
    expect(response.body).toMatchObject(problemShape(code, 400));
  });

  test.each(['', 'é', 'a b', 'x'.repeat(256)])('the invalid Idempotency-Key "%s" is rejected', async (key) => {
    const response = await world.post(path, {
      body: minimalBody,
      headers: { 'idempotency-key': encodeURI(key) === key ? key : Buffer.from(key).toString('latin1') },
    });
    expect(response.body).toMatchObject(problemShape('idempotency_key_invalid', 400));
  });

  test('with STRICT_DOCUMENTS, wrong check digits and one repeated digit are rejected', async () => {
    const strictWorld = await ApiWorld.open({ STRICT_DOCUMENTS: 'true' });
    const validRequests = ['52998224725', '12.ABC.345/01DE-35'].map((document) =>
      strictWorld.post(path, { body: { documentType: document.length > 11 ? 'CNPJ' : 'CPF', document } }),
    );
    for (const response of await Promise.all(validRequests)) expect(response.status).toBe(201);
    const wrong = await strictWorld.post(path, { body: { documentType: 'CPF', document: '52998224726' } });
    expect(wrong.body).toMatchObject({
      ...problemShape('validation_failed', 400),
      errors: { document: ['has wrong check digits'] },
    });
    for (const [documentType, document] of [
      ['CPF', '111.111.111-11'],
      ['CPF', '00000000000'],
      ['CNPJ', '00000000000000'],
    ])
      expect((await strictWorld.post(path, { body: { documentType, document } })).body).toMatchObject({
        errors: { document: ['must not be one repeated digit'] },
      });
    await strictWorld.close();
  });
});

describe('POST /v1/transaction', () => {
  test.each([
    'application/json;',
    'Application/JSON ; Charset="UTF-8"',
    'application/json; version=1',
    'application/json; a="x;y"; charset=utf8',
  ])('a body of the content type %s is accepted', async (type) => {
    expect((await world.post(path, { body: minimalBody, headers: { 'content-type': type } })).status).toBe(201);
  });

  test('a body over 512 KiB returns 413', async () => {
    const response = await world.post(path, { rawBody: `{"name":"${'x'.repeat(524_288)}"}` });
    expect(response.body).toEqual(problemShape('body_too_large', 413));
  });

  test('a body with all texts at their limits is accepted if every emoji is escaped', async () => {
    const emoji = (count: number) => '\u{1f600}'.repeat(count);
    const genericFields = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`${emoji(126)}${String(n).padStart(2, '0')}`, emoji(512)]),
    );
    const rawBody = JSON.stringify({ ...minimalBody, name: emoji(200), genericFields }).replace(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
    );
    const response = await world.post(path, { rawBody });
    expect(response).toMatchObject({ status: 201, body: { genericFields } });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/json, text/plain',
    'application/json+x',
    'text/plain; a=application/json',
    'application/jsonp',
  ])('a body of the content type %s returns 415', async (type) => {
    const response = await world.post(path, { body: minimalBody, headers: { 'content-type': type } });
    expect(response.body).toEqual(problemShape('unsupported_media_type', 415));
  });

  test('a compressed body returns 415', async () => {
    const response = await world.post(path, { body: minimalBody, headers: { 'content-encoding': 'gzip' } });
    expect(response.body).toEqual(problemShape('unsupported_media_type', 415));
  });

  test('an idempotency key that was used for a different request returns 409', async () => {
    world.transactions.nextErrors.push(new Problem('idempotency_conflict'));
    expect((await create(minimalBody)).body).toEqual(problemShape('idempotency_conflict', 409));
  });

  test('a request to create a transaction returns 503 when Temporal is unavailable', async () => {
    world.transactions.nextErrors.push(new Problem('service_unavailable'));
    const response = await create(minimalBody);
    expect(response.body).toEqual(problemShape('service_unavailable', 503));
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
