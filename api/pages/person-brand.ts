import { createHash } from 'node:crypto';
import { type Brand, fitLogo, serviceBrand } from '../../domain/brand/brand';
import { styleOf } from '../../domain/brand/colors';
import { isOutage } from '../../platform/outage';
import type { Needs } from '../dependencies';
import type { PageDependencies } from './app-page';
import type { PersonBrandProps } from './rendered-pages';

/** The brand of a tenant for a page. If it cannot be read, the brand of the service, so that the person still sees the page. */
export async function readPageBrand({ brands }: Needs<'brands'>, tenant: string): Promise<Brand | undefined> {
  try {
    return await brands.of(tenant);
  } catch (error) {
    if (isOutage(error)) return undefined;
    throw error;
  }
}

/** The size of a logo on a page, in CSS pixels. */
const logoMax = { width: 160, height: 32 };

/**
 * What a page shows of a brand, and the source of its style for the content security policy. The policy allows this one style by its hash.
 * `brand`: undefined for the brand of the service.
 */
export function personBrandOf(
  { config, builtPages }: PageDependencies,
  brand: Brand = serviceBrand(config.BRAND, config.DEFAULT_LANGUAGE),
): { props: PersonBrandProps; sources: Readonly<Record<string, string>> } {
  const { name, logo, colors, supportUrl } = brand;
  const style = colors && styleOf(colors);
  const hash = style && createHash('sha256').update(style).digest('base64');
  return {
    props: {
      brand: name,
      logo: logo?.path ?? builtPages.logo,
      ...(logo ? { logoSize: fitLogo(logo, logoMax) } : {}),
      ...(style === undefined ? {} : { style }),
      ...(supportUrl === undefined ? {} : { supportUrl }),
    },
    sources: hash === undefined ? {} : { 'style-src': `'self' 'sha256-${hash}'` },
  };
}
