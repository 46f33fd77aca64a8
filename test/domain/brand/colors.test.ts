import { assert, integer, property } from 'fast-check';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { backgrounds, contrast, mainColorIssue, paletteOf, styleOf, textOn } from '../../../domain/brand/colors';

const toHex = (value: number) => `#${value.toString(16).padStart(6, '0')}`;

// The ratios of the WCAG examples.
test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#767676', '#ffffff', 4.54],
  ['#ff0000', '#ffffff', 4],
])('the contrast of %s and %s is %s', (one, other, expected) => {
  expect(contrast(one, other)).toBeCloseTo(expected, 1);
  expect(contrast(other, one)).toBe(contrast(one, other));
});

test('every accepted color is readable on light and on dark pages, and so is the text on its buttons', () => {
  assert(
    property(integer({ min: 0, max: 0xffffff }).map(toHex), (main) => {
      if (mainColorIssue(main) !== undefined) return;
      for (const scheme of ['light', 'dark'] as const) {
        const { strong, onStrong } = paletteOf({ main })[scheme];
        for (const background of Object.values(backgrounds[scheme]))
          expect(contrast(strong, background)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(onStrong, strong)).toBeGreaterThanOrEqual(4.5);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('text on any color is black or white, whichever can be read', () => {
  assert(
    property(integer({ min: 0, max: 0xffffff }).map(toHex), (color) => {
      expect(contrast(textOn(color), color)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('a color that cannot be read is rejected with its ratio and with a color that works', () => {
  const issue = mainColorIssue('#ffd400') ?? '';
  expect(issue).toMatch(/contrast of 1\.\d\d : 1 to the light page, and needs 4\.5 : 1/);
  const suggestion = /#[0-9a-f]{6}$/.exec(issue)?.[0] ?? '';
  expect(mainColorIssue(suggestion)).toBeUndefined();
});

test('a dark color gets a lighter tint on dark pages only', () => {
  const { light, dark } = paletteOf({ main: '#00205B' });
  expect(light.strong).toBe('#00205b');
  expect(contrast('#00205b', backgrounds.dark.card)).toBeLessThan(4.5);
  expect(contrast(dark.strong, backgrounds.dark.card)).toBeGreaterThanOrEqual(4.5);
});

test.each(['red', '#12345', '#1234567', '#12345g', '#123456;}', ''])('%j is not a color', (main) => {
  expect(mainColorIssue(main)).toMatch('must be a color');
});

test('the backgrounds are those of the pages', () => {
  const tokens = readFileSync(path.join(__dirname, '../../../web/kit/style/tokens.css'), 'utf8');
  const [light = '', dark = ''] = tokens.split('@media');
  for (const [css, colors] of [
    [light, backgrounds.light],
    [dark, backgrounds.dark],
  ] as const) {
    expect(css).toContain(`--paper: ${colors.paper};`);
    expect(css).toContain(`--card: ${colors.card};`);
  }
});

test('the style has no character that HTML escapes', () => {
  expect(styleOf({ main: '#1a4f8a' })).toMatch(/^[^<>&"']+$/);
});
