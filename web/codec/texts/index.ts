import type { TextTables } from '../../app/use-texts';
import { en } from './en';
import { es } from './es';
import { ptBr } from './pt-br';
import type { CodecTexts } from './texts';

export const codecTexts: TextTables<CodecTexts> = { 'pt-BR': ptBr, en, es };
