import path from 'node:path';
import { readPageAssets } from '../../http/assets/page-assets';

/** Scripts, styles and the icon of the person's page. */
export const biometricsAssets = readPageAssets(path.join(__dirname, '../browser'), '/biometrics/assets');
