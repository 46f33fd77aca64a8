import type { Rule } from '../rule';
import { seenTogetherEvaluator } from './seen-together-evaluator';

/** LK001: the document and the phone were seen together on other dates. */
export const linkOfPhone: readonly Rule[] = [
  {
    code: 'LK001',
    relevance: 'Positivo',
    category: 'Vinculo',
    relatedTo: ['Document', 'Phone'],
    text: {
      'pt-BR': 'O documento e o telefone já foram vistos juntos em outras datas.',
      en: 'The document and the phone were seen together on other dates.',
      es: 'El documento y el teléfono ya fueron vistos juntos en otras fechas.',
    },
    evaluate: seenTogetherEvaluator('Phone'),
  },
];
