import type { BiometricsSettings } from '../api-types';

/** What the API gives to this page (api/hosted/biometrics-page.ts). */
export const settings = JSON.parse(document.body.dataset['settings'] ?? '') as BiometricsSettings & {
  brand: string;
  /** The URL of the logo. */
  logo: string;
};
