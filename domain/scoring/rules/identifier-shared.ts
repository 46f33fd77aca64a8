import type { Rule } from '../rule';
import { sharingEvaluator } from './sharing-evaluator';

/** ID001: several documents were used with the same `identifierId`, a value that the caller chooses, such as the id of a device. */
export const identifierShared: readonly Rule[] = [
  {
    code: 'ID001',
    relevance: 'Negativo',
    category: 'Sessao',
    relatedTo: ['Document', 'Identifier'],
    text: {
      'pt-BR': 'O identificador foi usado com vários documentos em poucos dias.',
      en: 'The identifier was used with several documents within a few days.',
      es: 'El identificador fue usado con varios documentos en pocos días.',
    },
    evaluate: sharingEvaluator('Identifier'),
  },
];
