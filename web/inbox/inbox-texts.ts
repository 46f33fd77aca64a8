import type { TextTables } from '../app/use-texts';
import { en } from './texts/en';
import { es } from './texts/es';
import { ptBr } from './texts/pt-br';
import type { Texts } from './texts/texts';

export const inboxTexts: TextTables<Texts> = { 'pt-BR': ptBr, en, es };
