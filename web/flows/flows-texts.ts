import type { TextTables } from '../app/use-texts';
import { useTexts } from '../app/use-texts';
import { en } from './texts/en';
import { es } from './texts/es';
import { ptBr } from './texts/pt-br';
import type { FlowsTexts } from './texts/texts';

/** The texts of the page /flows. */
export const flowsTexts: TextTables<FlowsTexts> = { 'pt-BR': ptBr, en, es };

export const useFlowsTexts = (): FlowsTexts => useTexts(flowsTexts);
