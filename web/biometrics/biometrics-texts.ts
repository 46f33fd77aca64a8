import type { TextTables } from '../app/use-texts';
import { en } from './texts/en';
import { es } from './texts/es';
import { ptBr } from './texts/pt-br';
import type { BiometricsTexts } from './texts/texts';

export const biometricsTexts: TextTables<BiometricsTexts> = { 'pt-BR': ptBr, en, es };

/** Replaces placeholders such as {{name}} by values. A placeholder without a value stays. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(values[name] ?? whole));
