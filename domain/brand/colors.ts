/** The colors of a brand, as `#rrggbb`. */
export interface BrandColors {
  /** The color of links and buttons. */
  main: string;
}

/** The colors of links and buttons in one color scheme, by their names in web/kit/style/tokens.css. */
export interface SchemeColors {
  strong: string;
  /** The text on `strong`. */
  onStrong: string;
  /** A background that is close to that of the page. */
  strongSoft: string;
}

/** WCAG 2.2, 1.4.3: the contrast of normal text. */
export const contrastMin = 4.5;

/** The backgrounds of pages and mails in each color scheme (web/kit/style/tokens.css). */
export const backgrounds = {
  light: { paper: '#f3f5f6', card: '#ffffff' },
  dark: { paper: '#0f1319', card: '#191f28' },
} as const;

const channelsOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

const toHex = (channels: readonly number[]) =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;

/** The relative luminance of a color (WCAG 2.2), from 0 (black) to 1 (white). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two colors (WCAG 2.2), from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((left, right) => left - right);
  return (lighter + 0.05) / (darker + 0.05);
}

/** `share` of `color`, and the rest of `other`. */
function mix(color: string, other: string, share: number): string {
  const rest = channelsOf(other);
  return toHex(channelsOf(color).map((channel, index) => channel * share + (rest[index] ?? 0) * (1 - share)));
}

/** Black or white, whichever has more contrast to a background. It always has at least 4.58 : 1. */
export const textOn = (background: string): string =>
  contrast('#ffffff', background) >= contrast('#000000', background) ? '#ffffff' : '#000000';

type Scheme = keyof typeof backgrounds;

/** The lowest contrast of a color to the backgrounds of a color scheme. */
const contrastToPages = (color: string, scheme: Scheme): number =>
  Math.min(contrast(color, backgrounds[scheme].paper), contrast(color, backgrounds[scheme].card));

/** The color that is closest to `color`, on the way to `target`, and readable on the pages of the color scheme. */
function towards(color: string, target: string, scheme: Scheme): string {
  for (let percent = 100; percent > 0; percent -= 1) {
    const candidate = mix(color, target, percent / 100);
    if (contrastToPages(candidate, scheme) >= contrastMin) return candidate;
  }
  return target;
}

/**
 * What is wrong with the main color: links in it could not be read on a light page. Undefined if nothing is. On dark pages, every color gets a
 * readable tint, so no color is wrong there.
 */
export function mainColorIssue(main: string): string | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(main)) return 'must be a color such as #155e4b';
  const measured = contrastToPages(main, 'light');
  if (measured >= contrastMin) return undefined;
  // Rounded down, so that a ratio just below the limit is not shown as the limit.
  const shown = (Math.floor(measured * 100) / 100).toFixed(2);
  return `has a contrast of ${shown} : 1 to the light page, and needs ${contrastMin} : 1. Use a darker color, such as ${towards(main, '#000000', 'light')}`;
}

/** The colors of links and buttons on light and on dark pages. */
export function paletteOf({ main }: BrandColors): Record<Scheme, SchemeColors> {
  const light = main.toLowerCase();
  const dark = towards(light, '#ffffff', 'dark');
  return {
    light: { strong: light, onStrong: textOn(light), strongSoft: mix(light, backgrounds.light.card, 0.1) },
    dark: { strong: dark, onStrong: textOn(dark), strongSoft: mix(dark, backgrounds.dark.card, 0.15) },
  };
}

const declarationsOf = ({ strong, onStrong, strongSoft }: SchemeColors) =>
  `:root{--strong:${strong};--on-strong:${onStrong};--strong-soft:${strongSoft}}`;

/** The style that gives a page the colors of a brand. It has no character that HTML must escape. */
export function styleOf(colors: BrandColors): string {
  const { light, dark } = paletteOf(colors);
  return `${declarationsOf(light)}@media (prefers-color-scheme:dark){${declarationsOf(dark)}}`;
}
