import LinkifyIt from 'linkify-it';
import topLevelDomains from 'tlds';
import { array, assert, constantFrom, property } from 'fast-check';
import { findForeignLink } from '../../messages/foreign-links';

const domains = ['acme.com', 'xn--bcher-kva.example'];

test.each([
  'evil.shop/now',
  'https://evil.com',
  'https://acme.com@evil.com/login',
  'https://acme.com.evil.com',
  'https://notacme.com',
  'HTTP://EVIL.COM',
  '//evil.com',
  '//evil.unknown',
  'bit.ly/abc',
  'evil。com',
  'ｅｖｉｌ．com',
  'http://127.0.0.1/x',
  'intent://scan',
  'ftp://acme.com/file',
  '203.0.113.7/login',
  '203.0.113.7:8080',
  // Whatever stands in front of a domain, some phones link the domain.
  'Acesse:evil.com',
  '/evil.com',
  '_evil.com',
  '…evil.com',
  '...evil.com',
  '@evil.com',
  'x=evil.com',
  'é·evil.com',
  'Acesse—evil.com',
  'Acesse:203.0.113.7',
  'my_evil.com',
  'acme.com:evil.com',
  'acme.com,evil.com',
  'acme.com…evil.com',
  'acme.com-evil.com',
  'https://acme.com,evil.com',
  'https://evil.com,acme.com',
  'https://acme.com"evil.com',
  'éhttps://acme.com@evil.com',
  'a@evil.com/login',
  'a@evil.com:80',
  // Whatever follows a domain, too.
  'evil.com-login',
  'evil.com_login',
  'evil.com.xyzzy',
  'evil.com!',
  'evil\u200b.com',
  'evil\u2024com',
  'exemplo.рф',
  'उदाहरण.भारत',
  'evil.xn--p1ai',
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
  'Acesse:acme.com',
  '//acme.com/a',
  '_acme.com',
  'acme.com/evil.com',
  'https://acme.com/evil.com',
  'www.acme.com:443/?evil.com',
  'mailto:ajuda@example.com',
  'Dúvidas:ajuda@example.com.',
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

/** Letters, dots and separators from which a random text can make links. */
const piece = constantFrom(
  'a',
  'evil',
  'com',
  'br',
  'xyzzy',
  '1',
  '203',
  '.',
  '.',
  '/',
  ':',
  '_',
  '-',
  '@',
  ' ',
  ',',
  'https://',
  'www.',
  '…',
);

test('every link that linkify-it finds in a random text is found', () => {
  const linkify = new LinkifyIt({}, { fuzzyIP: true }).tlds([...topLevelDomains]);
  assert(
    property(array(piece, { minLength: 3, maxLength: 20 }), (pieces) => {
      const text = pieces.join('');
      const links = (linkify.match(text) ?? []).filter(({ schema }) => schema !== 'mailto:');
      for (const { raw } of links)
        expect([text, raw, findForeignLink(raw, [])]).toEqual([text, raw, expect.any(String)]);
      if (links.length > 0) expect([text, findForeignLink(text, [])]).toEqual([text, expect.any(String)]);
    }),
    { numRuns: 5_000 },
  );
});

test.each(['a', 'a.', 'a@', 'com.', '://', 'a://', '1.', '-'])('a search takes linear time in a text of %j', (part) => {
  const text = part.repeat(200_000 / part.length);
  findForeignLink(text, []);
});
