import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { renderMail } from '../../activities/messaging/mail-layout';
import { openBrowser } from '../support/browser';

const link = `https://verify.example.com/confirm/${'a1b2c3d4'.repeat(20)}`;
const mail = renderMail({
  ...{ language: 'pt-BR', brand: 'Loja', subject: 'Confirme', footer: 'Não responda a este e-mail.' },
  paragraphs: ['Foi você?'],
  code: '481516',
  repliesText: 'Responda SIM ou NÃO.',
  action: {
    button: 'Responder',
    link,
    linkIntro: 'Se o botão não aparecer, copie este endereço para o seu navegador agora:',
  },
  deny: { label: 'Não pedi isto', link },
});

test('a mail has only the colors of the pages', () => {
  const tokens = readFileSync(path.join(__dirname, '..', '..', 'web', 'kit', 'style', 'tokens.css'), 'utf8');
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

  test('no word of a text is broken, and the address of the link does not widen the mail', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
    await page.setContent(mail);
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
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.close();
  });
});
