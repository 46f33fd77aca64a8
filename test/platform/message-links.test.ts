import { findForeignLink } from '../../platform/message-links';

const domains = ['acme.com', 'xn--bcher-kva.example'];

test.each([
  'evil.shop/now',
  'https://evil.com',
  'https://acme.com@evil.com/login',
  'https://acme.com.evil.com',
  'https://notacme.com',
  'HTTP://EVIL.COM',
  '//evil.com',
  'bit.ly/abc',
  'evil。com',
  'ｅｖｉｌ．com',
  'http://127.0.0.1/x',
  'intent://scan',
  'ftp://acme.com/file',
])('%s is a foreign link', (link) => {
  expect(findForeignLink(`Olá! Abra ${link} agora`, domains)).toBeDefined();
});

test.each([
  'https://acme.com/a?b=c',
  'www.acme.com',
  'ACME.com',
  'https://bücher.example/',
  'Responda SIM.Obrigado',
  'vale por 5 min. Não responda',
  'ajuda@example.com',
  'R$ 1.234,50',
])('%s is not', (text) => {
  expect(findForeignLink(`Olá! ${text}`, domains)).toBeUndefined();
});
