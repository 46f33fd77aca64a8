import { fullOrNoPoints, type Rule } from '../rule';

/** CD001: the document of the card owner is the document of the person (positive) or another document (negative). */
export const cardOwnerDocument: readonly Rule[] = [
  {
    code: 'CD001',
    relevance: 'Positivo',
    category: 'Cartao',
    relatedTo: ['Document', 'Card'],
    text: {
      'pt-BR': 'O documento do titular do cartão é o da pessoa.',
      en: 'The document of the card owner is the document of the person.',
      es: 'El documento del titular de la tarjeta es el de la persona.',
    },
    evaluate({ evidence: { card } }) {
      const matches = card?.ownerDocumentMatches;
      return matches === undefined ? undefined : fullOrNoPoints(matches, { ownerDocumentMatches: matches });
    },
  },
  {
    code: 'CD001',
    relevance: 'Negativo',
    category: 'Cartao',
    relatedTo: ['Document', 'Card'],
    text: {
      'pt-BR': 'O documento do titular do cartão não é o da pessoa.',
      en: 'The document of the card owner is not the document of the person.',
      es: 'El documento del titular de la tarjeta no es el de la persona.',
    },
    evaluate({ evidence: { card } }) {
      const matches = card?.ownerDocumentMatches;
      return matches === undefined ? undefined : fullOrNoPoints(!matches, { ownerDocumentMatches: matches });
    },
  },
];
