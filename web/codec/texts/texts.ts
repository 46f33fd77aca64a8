import type { SignInTexts } from '../../app/sign-in';

/** The texts of the page on which an operator signs in to the codec server. The English texts in en.ts show what each field is for. */
export interface CodecTexts {
  tab: string;
  signIn: SignInTexts;
  scopeHint: string;
  signedIn: string;
  effect: (minutes: number) => string;
  openUi: string;
  reloadUi: string;
}
