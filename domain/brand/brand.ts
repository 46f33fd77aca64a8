import { type Language, languages } from '../transactions/input';
import type { BrandColors } from './colors';

/** The last lines of an SMS with a code, by which a phone offers the code only to the right page or app. */
export interface SmsAutofill {
  /** The host of the page on which the person enters the code. Adds the line `@host #code` (origin-bound one-time codes). */
  domain?: string;
  /** The hash of an Android app: 11 characters. Adds a line with the hash (SMS Retriever API). */
  androidHash?: string;
}

/** What a tenant sets: how its persons see the service. */
export interface BrandSettings {
  /** 1 to 40 characters in one line. */
  name: string;
  colors?: BrandColors;
  /** An https URL, or `mailto:` with one address. */
  supportUrl?: string;
  /** The languages of messages and pages. The first is the default. */
  languages: readonly Language[];
  smsAutofill?: SmsAutofill;
}

/** A logo without its bytes. */
export interface BrandLogo {
  /** The URL path. It does not reveal the tenant, and changes with the logo. */
  path: string;
  /** In pixels. */
  width: number;
  height: number;
}

/** How the persons of a tenant see the service. `source`: `service` if the tenant has set no brand. */
export interface Brand extends BrandSettings {
  source: 'service' | 'tenant';
  logo?: BrandLogo;
  /** What mails show of the brand. Absent for the brand of the service: mails then show their sender. */
  mail?: MailBrand;
}

/**
 * What a mail shows of a brand. The transaction keeps it, so that the worker needs no other data to compose the mail. At most about 1 KB. Never
 * personal data.
 */
export interface MailBrand {
  name: string;
  mainColor?: string;
  logo?: { url: string; width: number; height: number };
  supportUrl?: string;
}

export const brandLimits = {
  /** A longer name does not fit into the first line of a phone's notification, and makes an SMS longer than one segment. */
  nameCharacters: 40,
  supportUrlCharacters: 300,
} as const;

/** The brand of every tenant that has set none. `defaultLanguage`: DEFAULT_LANGUAGE. */
export const serviceBrand = (name: string, defaultLanguage: Language): Brand => ({
  source: 'service',
  name,
  languages: [defaultLanguage, ...languages.filter((language) => language !== defaultLanguage)],
});

/**
 * What is wrong with a name, apart from its length and from characters that no text may have. Undefined if nothing is. Braces are the
 * placeholders of texts: with the name {{code}}, the subject of a mail would show the code to every mail server.
 */
export function brandNameIssue(name: string): string | undefined {
  if (name !== name.trim()) return 'must not begin or end with a space';
  if (!/[\p{L}\p{N}]/u.test(name)) return 'must have a letter or a digit';
  const forbidden = /[{}<>"\\]/.exec(name)?.[0];
  return forbidden === undefined ? undefined : `must not contain ${forbidden}`;
}

/** What is wrong with a list of languages. Undefined if nothing is. */
export function brandLanguagesIssue(chosen: readonly Language[]): string | undefined {
  if (chosen.length === 0) return 'must have at least one language';
  return new Set(chosen).size < chosen.length ? 'must have each language once' : undefined;
}

/** The lines that autofill adds to the end of an SMS with a code. Browsers require that `@host #code` is the last line. */
export const autofillLines = ({ domain, androidHash }: SmsAutofill = {}): string =>
  [androidHash, domain === undefined ? undefined : `@${domain} #{{code}}`]
    .flatMap((line) => (line === undefined ? [] : `\n${line}`))
    .join('');

/** The brand that a tenant has set. `publicUrl`: the address of the service. */
export function tenantBrand(settings: BrandSettings, logo: BrandLogo | undefined, publicUrl: string): Brand {
  const { name, colors, supportUrl } = settings;
  const mail: MailBrand = {
    name,
    ...(colors ? { mainColor: colors.main } : {}),
    ...(logo ? { logo: { url: new URL(logo.path, publicUrl).href, width: logo.width, height: logo.height } } : {}),
    ...(supportUrl === undefined ? {} : { supportUrl }),
  };
  return { ...settings, source: 'tenant', ...(logo ? { logo } : {}), mail };
}

interface Size {
  width: number;
  height: number;
}

/** The size in which a logo is shown, so that it fits into `max` and keeps its proportions. A small logo is not enlarged. */
export function fitLogo(logo: Size, max: Size): Size {
  const scale = Math.min(1, max.width / logo.width, max.height / logo.height);
  return { width: Math.max(1, Math.round(logo.width * scale)), height: Math.max(1, Math.round(logo.height * scale)) };
}
