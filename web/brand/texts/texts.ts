import type { SignInTexts } from '../../app/sign-in';

type TextFields = 'name' | 'color' | 'supportUrl' | 'domain' | 'androidHash';

/** The texts of the page of the brand. The English texts in en.ts show what each field is for. */
export interface BrandTexts {
  signIn: SignInTexts;
  scopeHint: string;
  heading: string;
  lead: string;
  /** Instead of `lead`, if the tenant has set no brand. */
  notSet: string;
  fields: Record<TextFields | `${TextFields}Hint`, string> & {
    logo: string;
    logoHint: string;
    removeLogo: string;
    defaultLanguage: string;
    otherLanguages: string;
    languagesHint: string;
  };
  save: string;
  saved: string;
  /** Somebody else has changed the brand. */
  changed: string;
  /** The fields show what is wrong. */
  invalid: string;
  notSaved: string;
  preview: string;
  /** The texts of the examples. */
  sample: {
    light: string;
    dark: string;
    enterCode: string;
    sent: (brand: string) => string;
    confirm: string;
    help: (brand: string) => string;
    mailText: string;
    confirmMail: string;
    deny: string;
    sms: (language: string) => string;
    segments: (count: number) => string;
    unicode: string;
  };
}
