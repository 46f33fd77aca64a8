import { type Rule, sharingEvaluator } from '../rule';

/** The rules about the session and the identifier of the caller. */
export const sessionRules: readonly Rule[] = [
  /** SS001: several documents were used with the same `sessionId`. */
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
  /** ID001: several documents were used with the same `identifierId`, a value that the caller chooses, such as the id of a device. */
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
