import type { Rule } from '../rule';
import { sharingEvaluator } from './sharing-evaluator';

/** PH004: several documents were used with the same phone. A few documents are normal, because families share a phone. */
export const phoneShared: readonly Rule[] = [
  {
    code: 'PH004',
    relevance: 'Negativo',
    category: 'Velocidade',
    relatedTo: ['Document', 'Phone'],
    text: {
      'pt-BR': 'O telefone foi usado com vários documentos em poucos dias.',
      en: 'The phone was used with several documents within a few days.',
      es: 'El teléfono fue usado con varios documentos en pocos días.',
    },
    evaluate: sharingEvaluator('Phone'),
  },
];
