import type { Rule } from '../rule';
import { seenTogetherEvaluator } from './seen-together-evaluator';

/** LK002: the document and the e-mail address were seen together on other dates. */
export const linkOfEmail: readonly Rule[] = [
  {
    code: 'LK002',
    relevance: 'Positivo',
    category: 'Vinculo',
    relatedTo: ['Document', 'Email'],
    text: {
      'pt-BR': 'O documento e o e-mail já foram vistos juntos em outras datas.',
      en: 'The document and the e-mail address were seen together on other dates.',
      es: 'El documento y el correo electrónico ya fueron vistos juntos en otras fechas.',
    },
    evaluate: seenTogetherEvaluator('Email'),
  },
];
