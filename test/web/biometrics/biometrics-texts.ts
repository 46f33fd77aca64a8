import { en } from '../../../web/biometrics/texts/en';
import { es } from '../../../web/biometrics/texts/es';
import { ptBr } from '../../../web/biometrics/texts/pt-br';

/** The texts of the page of a biometrics link, by language. */
export const biometricsTexts = { 'pt-BR': ptBr, en, es };
