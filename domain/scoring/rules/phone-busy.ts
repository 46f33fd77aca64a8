import type { Rule } from '../rule';
import { busyEvaluator } from './busy-evaluator';

/**
 * PH005: many transactions have the same phone. An assessment reads only some of these transactions, so the other rules could miss a fraud.
 */
export const phoneBusy: readonly Rule[] = [
  {
    code: 'PH005',
    relevance: 'Negativo',
    category: 'Velocidade',
    relatedTo: ['Phone'],
    text: {
      'pt-BR': 'O telefone foi usado em muitas transações em poucos dias.',
      en: 'The phone was used in many transactions within a few days.',
      es: 'El teléfono fue usado en muchas transacciones en pocos días.',
    },
    evaluate: busyEvaluator('Phone'),
  },
];
