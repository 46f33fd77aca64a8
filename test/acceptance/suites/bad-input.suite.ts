import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { GetTestStack } from '../support/test-stack';
import type { RequestOptions } from '../support/api-client';
import { expectProblem } from '../support/expect-problem';
import { differentCode, newPerson } from '../support/new-person';

const person = newPerson().body;
const nestedObject = (levels: number): unknown => (levels === 0 ? {} : { deeper: nestedObject(levels - 1) });
const json = JSON.stringify(person);

/** After this time, Temporal certainly counts a started workflow. */
const countDelayMs = 500;

/** Counts running and ended workflows. Each transaction has one workflow. */
async function countTransactions(address: string): Promise<number> {
  await pause(countDelayMs);
  const connection = await Connection.connect({ address });
  try {
    const { count } = await new Client({ connection }).workflow.count();
    return count;
  } finally {
    await connection.close();
  }
}

/** `fieldNames`: the fields that the response names. */
type BadRequest = [description: string, request: RequestOptions, status: number, code: string, ...fieldNames: string[]];

const badCreations: BadRequest[] = [
  ['JSON that ends too early', { rawBody: json.slice(0, -1) }, 400, 'malformed_json'],
  ['bytes that are not UTF-8', { rawBody: Uint8Array.from([0x7b, 0xff, 0x7d]) }, 400, 'malformed_json'],
  ['a list', { body: [person] }, 400, 'validation_failed', 'body'],
  ['a duplicate field', { rawBody: `{"name":"x",${json.slice(1)}` }, 400, 'duplicate_field', 'name'],
  ['a wrong type', { body: { ...person, name: 7 } }, 400, 'validation_failed', 'name'],
  ['a number as text', { body: { ...person, type: '1' } }, 400, 'validation_failed', 'type'],
  ['an unknown field', { body: { ...person, nickname: 'Jo' } }, 400, 'unknown_field', 'nickname'],
  [
    'an unknown field inside another field',
    { body: { ...person, phone: { ...person.phone, extension: 1 } } },
    400,
    'unknown_field',
    'phone.extension',
  ],
  ['a missing document', { body: { documentType: 'CPF' } }, 400, 'validation_failed', 'document'],
  ['an empty body', {}, 400, 'validation_failed', 'documentType', 'document'],
  ['a name that is too long', { body: { ...person, name: 'x'.repeat(201) } }, 400, 'validation_failed', 'name'],
  ['an impossible date', { body: { ...person, birthdate: '2001-02-29' } }, 400, 'validation_failed', 'birthdate'],
  ['an invalid mail address', { body: { ...person, email: 'joana@' } }, 400, 'validation_failed', 'email'],
  ['two mail addresses', { body: { ...person, email: 'a@b.com,c@d.com' } }, 400, 'validation_failed', 'email'],
  [
    'a generic field that is not text',
    { body: { ...person, genericFields: { a: 1 } } },
    400,
    'validation_failed',
    'genericFields.a',
  ],
  ['a NUL character', { body: { ...person, name: 'a\u0000b' } }, 400, 'validation_failed', 'name'],
  ['a deep body', { body: nestedObject(20) }, 400, 'body_too_deep'],
  ['a very deep body', { rawBody: '['.repeat(60_000) }, 400, 'body_too_deep'],
  [
    'too many fields',
    { body: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1])) },
    400,
    'too_many_fields',
  ],
  ['a huge body', { body: { ...person, name: 'x'.repeat(600_000) } }, 413, 'body_too_large'],
  ['another content type', { rawBody: json, headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
  [
    'a form',
    { rawBody: 'document=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    415,
    'unsupported_media_type',
  ],
  [
    'another charset',
    { rawBody: json, headers: { 'content-type': 'application/json; charset=latin1' } },
    415,
    'unsupported_media_type',
  ],
  ['compressed content', { rawBody: json, headers: { 'content-encoding': 'gzip' } }, 415, 'unsupported_media_type'],
  ['an idempotency key with a space', { body: person, key: 'a b' }, 400, 'idempotency_key_invalid'],
];

const badValidations: BadRequest[] = [
  ['a missing value', { body: {} }, 400, 'validation_failed', 'value'],
  ['an empty value', { body: { value: '' } }, 400, 'validation_failed', 'value'],
  ['a number', { body: { value: 123_456 } }, 400, 'validation_failed', 'value'],
  ['a null', { body: { value: null } }, 400, 'validation_failed', 'value'],
  ['a value that is no code', { body: { value: 'no code at all' } }, 400, 'validation_failed', 'value'],
  ['a value that is too long', { body: { value: '1'.repeat(65) } }, 400, 'validation_failed', 'value'],
  ['an unknown field', { body: { value: '123456', code: '1' } }, 400, 'unknown_field', 'code'],
  ['JSON that ends too early', { rawBody: '{"value":"1"' }, 400, 'malformed_json'],
  ['a huge body', { body: { value: '1'.repeat(70_000) } }, 413, 'body_too_large'],
  [
    'another content type',
    { rawBody: '{"value":"1"}', headers: { 'content-type': 'text/json' } },
    415,
    'unsupported_media_type',
  ],
];

/** Each kind of invalid input has its own error, and nothing is saved. */
export function describeBadInput(getTestStack: GetTestStack): void {
  describe('bad input', () => {
    it.each(badCreations)(
      'POST /v1/transaction rejects the request: %s',
      async (_, request, status, code, ...fieldNames) => {
        expectProblem(await getTestStack().api.post('/v1/transaction', request), status, code, fieldNames);
      },
    );

    it('bad input leaves the number of transactions unchanged', async () => {
      const { api, stack } = getTestStack();
      const before = await countTransactions(stack.addresses.temporal);
      await Promise.all(badCreations.map(([, request]) => api.post('/v1/transaction', request)));
      expect(await countTransactions(stack.addresses.temporal)).toBe(before);
    });

    it('the response to an invalid request lists all its errors', async () => {
      const body = { ...person, documentType: '', phone: { countryCode: 55, number: '9' }, email: 'x', more: 1 };
      const response = await getTestStack().api.post('/v1/transaction', { body });
      const fieldNames = Object.keys((response.body as { errors: object }).errors);
      expect(fieldNames.toSorted()).toEqual(['documentType', 'email', 'more', 'phone.areaCode', 'phone.number']);
      expect(response.text).not.toContain(person.document);
    });

    describe('for a waiting token', () => {
      const personWithToken = newPerson();
      let path = '';
      beforeAll(async () => {
        path = await getTestStack().api.createTransaction(personWithToken.body);
        await getTestStack().api.post(`${path}/sms/tokens`);
      });

      it.each(badValidations)(
        'an invalid request to validate a code does not count as an attempt: %s',
        async (_, request, status, code, ...fieldNames) => {
          const { api } = getTestStack();
          const before = await api.get(`${path}/all`);
          expectProblem(await api.post(`${path}/sms/tokens/validate`, request), status, code, fieldNames);
          expect((await api.get(`${path}/all`)).text).toBe(before.text);
        },
      );

      it.each(['sms/tokens', 'sms/2fa', 'emails/tokens', 'emails/2fa', 'whatsapps/2fa'])(
        'POST %s with an invalid body sends nothing',
        async (suffix) => {
          const { api, inbox } = getTestStack();
          const ids = async () => (await inbox.readMessages(personWithToken.phone)).map(({ id }) => id);
          const before = await ids();
          expectProblem(await api.post(`${path}/${suffix}`, { body: { to: '+55' } }), 400, 'unknown_field', ['to']);
          expectProblem(await api.post(`${path}/${suffix}`, { rawBody: '{' }), 400, 'malformed_json');
          expect(await ids()).toEqual(before);
          expect(await inbox.readMessages(personWithToken.email)).toEqual([]);
        },
      );

      it('after all invalid requests and then one wrong code, a token has four attempts left', async () => {
        const { api, inbox } = getTestStack();
        const value = differentCode(await inbox.waitForCode(personWithToken.phone, 'sms'));
        const response = await api.post(`${path}/sms/tokens/validate`, { body: { value } });
        expect(response).toMatchObject({ status: 200, body: { status: 'Invalid' } });
        expect(response.headers.get('x-attempts-remaining')).toBe('4');
      });
    });
  });
}
