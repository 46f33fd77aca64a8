import {
  autofillLines,
  brandLanguagesIssue,
  brandLimits,
  brandNameIssue,
  fitLogo,
  serviceBrand,
  tenantBrand,
} from '../../../domain/brand/brand';
import { languageOf, languages } from '../../../domain/transactions/input';
import { withBrand } from '../../../api/confirmations/send-confirmation';
import { fillText } from '../../../domain/confirmations/settings';
import { emailToken, smsToken } from '../../../flows/confirmations';
import { smsSegments } from '../../../messages/sending-limits';

test.each(['Acme', "O'Reilly & Söhne", 'Loja São João', '99', '東京銀行'])('%s is a name', (name) => {
  expect(brandNameIssue(name)).toBeUndefined();
});

test.each(['{{code}}', 'a{b', 'Acme <b>', 'Acme"', 'Acme\\', ' Acme', 'Acme ', '---'])('%j is no name', (name) => {
  expect(brandNameIssue(name)).toMatch(/^must/);
});

test('a list of languages has each language once', () => {
  expect(brandLanguagesIssue(['es', 'en'])).toBeUndefined();
  expect(brandLanguagesIssue([])).toMatch('at least one');
  expect(brandLanguagesIssue(['es', 'es'])).toMatch('once');
});

test('a transaction in a language that the brand does not have gets the default of the brand', () => {
  expect(languageOf('en-US', 'es', ['es', 'pt-BR'])).toBe('es');
  expect(languageOf('pt', 'es', ['es', 'pt-BR'])).toBe('pt-BR');
  expect(serviceBrand('Acme', 'es').languages).toEqual(['es', 'pt-BR', 'en']);
});

const brandWith = (smsAutofill = {}, name = 'Acme') =>
  tenantBrand({ name, languages: ['en'], smsAutofill }, undefined, 'https://verify.example.com');

test('the line of a domain is the last line, and only an SMS with a code has autofill lines', () => {
  expect(autofillLines()).toBe('');
  expect(autofillLines({ domain: 'acme.example', androidHash: 'FA+9qCX9VSu' })).toBe(
    '\nFA+9qCX9VSu\n@acme.example #{{code}}',
  );
  const brand = brandWith({ domain: 'acme.example' });
  const { body } = withBrand(smsToken, brand).message.en;
  expect(fillText(body, { code: '481516' })).toMatch(/calls you\.\n@acme\.example #481516$/);
  expect(withBrand(emailToken, brand).message.en.body).not.toContain('@acme.example');
});

// docs/brand.md has these numbers.
test('a built-in SMS with a code has one segment, also with both autofill lines, and two with a name outside of the GSM alphabet', () => {
  const domain = 'login.acme.example';
  for (const language of languages) {
    const segmentsWith = (autofill: object, name: string) => {
      const { body } = withBrand(smsToken, brandWith(autofill, name)).message[language];
      return smsSegments(fillText(body, { code: '481516', minutes: '10' }));
    };
    const longName = 'x'.repeat(brandLimits.nameCharacters);
    expect([
      segmentsWith({}, 'Acme'),
      segmentsWith({ domain }, 'Acme'),
      segmentsWith({ androidHash: 'FA+9qCX9VSu' }, 'Acme'),
      segmentsWith({ domain, androidHash: 'FA+9qCX9VSu' }, 'Acme'),
      segmentsWith({}, longName),
      segmentsWith({ domain, androidHash: 'FA+9qCX9VSu' }, longName),
      segmentsWith({}, 'Loja São João'),
      segmentsWith({ domain }, 'Loja São João'),
    ]).toEqual([1, 1, 1, 1, 1, language === 'pt-BR' ? 1 : 2, 2, 2]);
  }
});

test('a mail gets what it shows of a brand, and no mail of the service gets it', () => {
  const brand = tenantBrand(
    { name: 'Acme', languages: ['en'], colors: { main: '#1a4f8a' }, supportUrl: 'https://acme.example/help' },
    { path: '/brands/x/logo?v=1', width: 480, height: 100 },
    'https://verify.example.com',
  );
  expect(withBrand(emailToken, brand).brand).toEqual({
    name: 'Acme',
    mainColor: '#1a4f8a',
    logo: { url: 'https://verify.example.com/brands/x/logo?v=1', width: 480, height: 100 },
    supportUrl: 'https://acme.example/help',
  });
  expect(withBrand(smsToken, brand)).not.toHaveProperty('brand');
  expect(withBrand(emailToken, serviceBrand('Acme', 'en'))).not.toHaveProperty('brand');
});

test('a logo keeps its proportions, and is not enlarged', () => {
  const max = { width: 160, height: 32 };
  expect(fitLogo({ width: 480, height: 160 }, max)).toEqual({ width: 96, height: 32 });
  expect(fitLogo({ width: 480, height: 20 }, max)).toEqual({ width: 160, height: 7 });
  expect(fitLogo({ width: 10, height: 10 }, max)).toEqual({ width: 10, height: 10 });
});
