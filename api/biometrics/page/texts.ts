import type { Language } from '../../../domain/language';
import type { BiometricsTexts } from './biometrics-texts';
import { english } from './texts-en';
import { spanish } from './texts-es';
import { portuguese } from './texts-pt-br';

export const texts: Record<Language, BiometricsTexts> = { 'pt-BR': portuguese, en: english, es: spanish };
