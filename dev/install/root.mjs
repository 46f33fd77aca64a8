import { fileURLToPath } from 'node:url';

/** The folder of this checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
