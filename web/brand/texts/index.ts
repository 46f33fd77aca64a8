import type { TextTables } from '../../app/use-texts';
import { en } from './en';
import { es } from './es';
import { ptBr } from './pt-br';
import type { BrandTexts } from './texts';

export const brandTexts: TextTables<BrandTexts> = { 'pt-BR': ptBr, en, es };
