import { en } from './texts/en';
import { es } from './texts/es';
import { ptBr } from './texts/pt-br';
import type { AppTexts } from './texts/texts';
import type { TextTables } from './use-texts';

/** The texts that all app pages share. */
export const appTexts: TextTables<AppTexts> = { 'pt-BR': ptBr, en, es };
