import type { SignInTexts } from '../../app/sign-in';

export interface CodecTexts {
  tab: string;
  signIn: SignInTexts;
  scopeHint: string;
  signedIn: string;
  effect: (minutes: number) => string;
  openUi: string;
  reloadUi: string;
}
