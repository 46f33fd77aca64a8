import type { Rule } from '../rule';
import { sharingEvaluator } from './sharing-evaluator';

/** SS001: several documents were used with the same `sessionId`. */
export const sessionShared: readonly Rule[] = [
  {
    code: 'SS001',
    relevance: 'Negativo',
    category: 'Sessao',
    relatedTo: ['Document', 'Session'],
    text: {
      'pt-BR': 'A sessão foi usada com vários documentos em poucos dias.',
      en: 'The session was used with several documents within a few days.',
      es: 'La sesión fue usada con varios documentos en pocos días.',
    },
    evaluate: sharingEvaluator('Session'),
  },
];
