import path from 'node:path';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { mailTexts, renderMail } from '../../../activities/providers/compose-mail';
import { openBrowser } from '../../support/browser';

const link = `https://verify.example.com/confirm/${'a1b2c3d4'.repeat(20)}`;
const content = {
  ...{ language: 'pt-BR' as const, brand: 'Loja', subject: 'Confirme', footer: 'Não responda a este e-mail.' },
  paragraphs: ['Foi você?'],
  code: '481516',
  repliesText: 'Responda SIM ou NÃO.',
  action: {
    button: mailTexts['pt-BR'].button.token,
    link,
    linkIntro: 'Se o botão não aparecer, copie este endereço para o seu navegador agora:',
  },
  deny: { label: 'Não pedi isto', link },
};
const mail = renderMail(content);

test('a mail has only the colors of the pages', () => {
  const tokens = readFileSync(path.join(__dirname, '..', '..', '..', 'web', 'kit', 'style', 'tokens.css'), 'utf8');
  const colorsIn = (text: string) => new Set([...text.matchAll(/#[\da-f]{6}\b/g)].map(([color]) => color));
  const colors = colorsIn(mail);
  expect(colors.size).toBeGreaterThan(10);
  const known = colorsIn(tokens);
  expect([...colors].filter((color) => !known.has(color))).toEqual([]);
});

describe('on a narrow phone', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test.each([
    { width: 320, code: '481516' },
    { width: 320, code: '4815162342' },
    { width: 360, code: '481516' },
  ])(
    'at $width px, no word of a text is broken, and nothing widens the mail with the code $code',
    async ({ width, code }) => {
      const page = await browser.newPage({ viewport: { width, height: 800 } });
      await page.setContent(renderMail({ ...content, code }));
      await page.screenshot({ path: `/tmp/w-small-mail-${width}-${code.length}.png`, fullPage: true });
      const brokenWords = await page.evaluate<string[]>(`
      [...document.querySelectorAll('td, p, a')]
        .flatMap((element) => [...element.childNodes])
        .filter((node) => node.nodeType === 3 && !node.data.startsWith('http'))
        .flatMap((node) => [...node.data.matchAll(/\\S+/g)].filter(({ index, 0: word }) => {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
        }).map(([word]) => word))
    `);
      expect(brokenWords).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.close();
    },
  );
});
