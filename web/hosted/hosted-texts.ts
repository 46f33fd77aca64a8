import type { TextTables } from '../app/use-texts';
import { en } from './texts/en';
import { es } from './texts/es';
import { ptBr } from './texts/pt-br';
import type { HostedTexts } from './texts/texts';

export const hostedTexts: TextTables<HostedTexts> = { 'pt-BR': ptBr, en, es };
