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
  '203.0.113.7/login',
  '203.0.113.7:8080',
  // Phones also show an IP address without a path or port as a link.
  '203.0.113.7',
])('%s is a link to a domain that is not allowed', (link) => {
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
  'a versão v1.2.3.4',
  'a versão 1.2.3',
  'o item 1.2.3.4.5',
  'o CPF 529.982.247-25',
  'o valor 300.400.500.600',
  'ajuda@203.0.113.7',
])('%s is no link, or a link to an allowed domain', (text) => {
  expect(findForeignLink(`Olá! ${text}`, domains)).toBeUndefined();
});
