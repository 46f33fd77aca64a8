import type { Rule } from '../rule';
import { busyEvaluator } from './busy-evaluator';

/**
 * EM006: many transactions have the same e-mail address. An assessment reads only some of these transactions, so the other rules could miss
 * a fraud.
 */
export const emailBusy: readonly Rule[] = [
  {
    code: 'EM006',
    relevance: 'Negativo',
    category: 'Velocidade',
    relatedTo: ['Email'],
    text: {
      'pt-BR': 'O e-mail foi usado em muitas transações em poucos dias.',
      en: 'The e-mail address was used in many transactions within a few days.',
      es: 'El correo fue usado en muchas transacciones en pocos días.',
    },
    evaluate: busyEvaluator('Email'),
  },
];
