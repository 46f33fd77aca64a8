import type { Rule } from '../rule';
import { sharingEvaluator } from './sharing-evaluator';

/** EM004: several documents were used with the same e-mail address. */
export const emailShared: readonly Rule[] = [
  {
    code: 'EM004',
    relevance: 'Negativo',
    category: 'Velocidade',
    relatedTo: ['Document', 'Email'],
    text: {
      'pt-BR': 'O e-mail foi usado com vários documentos em poucos dias.',
      en: 'The e-mail address was used with several documents within a few days.',
      es: 'El correo electrónico fue usado con varios documentos en pocos días.',
    },
    evaluate: sharingEvaluator('Email'),
  },
];
