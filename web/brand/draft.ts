import type { components } from '../api-types';
import { ApiProblem, callApi } from '../app/call-api';

export type Brand = components['schemas']['Brand'];
export type BrandSettings = components['schemas']['BrandSettings'];
export type BrandPreview = components['schemas']['BrandPreview'];
export type BrandLanguage = BrandSettings['languages'][number];

/** What the user has entered, as texts. An empty text is no value. */
export interface Draft {
  name: string;
  color: string;
  supportUrl: string;
  /** The first is the default. */
  languages: readonly BrandLanguage[];
  domain: string;
  androidHash: string;
  /** The logo that is shown: the address of the saved one, or of a new file. */
  logoUrl?: string | undefined;
  /** A new logo. `none`: the saved logo is to be removed. */
  newLogo?: File | 'none';
}

/** The path of the saved logo. The page loads it from its own origin. */
const savedLogo = ({ logo }: Brand) => {
  if (!logo) return undefined;
  const { pathname, search } = new URL(logo.url);
  return pathname + search;
};

export const draftOf = (brand: Brand): Draft => ({
  name: brand.name,
  color: brand.colors?.main ?? '',
  supportUrl: brand.supportUrl ?? '',
  languages: brand.languages,
  domain: brand.smsAutofill?.domain ?? '',
  androidHash: brand.smsAutofill?.androidHash ?? '',
  logoUrl: savedLogo(brand),
});

/** The draft as the API takes it. */
export function settingsOf({ name, color, supportUrl, languages, domain, androidHash }: Draft): BrandSettings {
  const autofill = { ...(domain && { domain }), ...(androidHash && { androidHash }) };
  return {
    name,
    languages: [...languages],
    ...(color && { colors: { main: color } }),
    ...(supportUrl && { supportUrl }),
    ...(Object.keys(autofill).length > 0 && { smsAutofill: autofill }),
  };
}

/** The issues of a rejected brand by field, such as `colors.main`. Undefined for other errors. */
export function fieldIssues(error: unknown): Readonly<Record<string, string>> | undefined {
  if (!(error instanceof ApiProblem) || error.code !== 'validation_failed') return undefined;
  const entries = Object.entries(error.fields.errors ?? {});
  return Object.fromEntries(entries.map(([field, texts]) => [field, [texts].flat().join(', ')]));
}

/** Base64 of a file. */
async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/**
 * Saves a draft, and then its logo. `version`: the version that the user has changed. `onVersion`: gets the new version when the brand is saved,
 * because the logo may be rejected after that. Rejects like callApi.
 */
export async function saveDraft(draft: Draft, version: number, onVersion: (version: number) => void): Promise<void> {
  const headers = { 'If-Match': `"${version}"` };
  const saved = await callApi('put', '/v1/brand', { headers, body: settingsOf(draft) });
  onVersion(saved.version);
  if (draft.newLogo === 'none') {
    if (saved.logo) await callApi('delete', '/v1/brand/logo', {});
  } else if (draft.newLogo) await callApi('put', '/v1/brand/logo', { body: { image: await base64Of(draft.newLogo) } });
}
