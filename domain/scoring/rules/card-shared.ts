import type { Rule } from '../rule';
import { sharingEvaluator } from './sharing-evaluator';

/** CD003: several documents were used with the same card. */
export const cardShared: readonly Rule[] = [
  {
    code: 'CD003',
    relevance: 'Negativo',
    category: 'Cartao',
    relatedTo: ['Document', 'Card'],
    text: {
      'pt-BR': 'O cartão foi usado com vários documentos em poucos dias.',
      en: 'The card was used with several documents within a few days.',
      es: 'La tarjeta fue usada con varios documentos en pocos días.',
    },
    evaluate: sharingEvaluator('Card'),
  },
];
