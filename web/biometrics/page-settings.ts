import type { BiometricsSettings, PersonBrandProps } from '../api-types';

/** What the API gives to this page (api/hosted/biometrics-page.ts). */
export const settings = JSON.parse(document.body.dataset['settings'] ?? '') as BiometricsSettings &
  Omit<PersonBrandProps, 'style'>;
