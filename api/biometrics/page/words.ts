import type { Language } from '../../../domain/language';
import type { BiometricsWords } from './biometrics-words';
import { english } from './words-en';
import { spanish } from './words-es';
import { portuguese } from './words-pt-br';

export const words: Record<Language, BiometricsWords> = { 'pt-BR': portuguese, en: english, es: spanish };
