import type { TextTables } from '../../app/use-texts';
import { en } from './en';
import { es } from './es';
import { ptBr } from './pt-br';
import type { ReviewTexts } from './texts';

export const reviewTexts: TextTables<ReviewTexts> = { 'pt-BR': ptBr, en, es };
