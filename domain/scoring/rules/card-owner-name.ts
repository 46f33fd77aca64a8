import { fullOrNoPoints, type Rule } from '../rule';
import { roundLikeness } from './round-likeness';

/**
 * CD004: the name on the card is the person's name (positive) or another name (negative). If the likeness of the names is between the two
 * thresholds, neither rule holds.
 */
export const cardOwnerName: readonly Rule[] = [
  {
    code: 'CD004',
    relevance: 'Positivo',
    category: 'Cartao',
    relatedTo: ['Card', 'Name'],
    text: {
      'pt-BR': 'O nome do titular do cartão é o da pessoa.',
      en: 'The name of the card owner is the name of the person.',
      es: 'El nombre del titular de la tarjeta es el de la persona.',
    },
    evaluate({ evidence: { card }, thresholds: { ownerNameSame } }) {
      const likeness = card?.ownerNameLikeness;
      return likeness === undefined
        ? undefined
        : fullOrNoPoints(likeness >= ownerNameSame, { likeness: roundLikeness(likeness) });
    },
  },
  {
    code: 'CD004',
    relevance: 'Negativo',
    category: 'Cartao',
    relatedTo: ['Card', 'Name'],
    text: {
      'pt-BR': 'O nome do titular do cartão não é o da pessoa.',
      en: 'The name of the card owner is not the name of the person.',
      es: 'El nombre del titular de la tarjeta no es el de la persona.',
    },
    evaluate({ evidence: { card }, thresholds: { ownerNameOther } }) {
      const likeness = card?.ownerNameLikeness;
      return likeness === undefined
        ? undefined
        : fullOrNoPoints(likeness < ownerNameOther, { likeness: roundLikeness(likeness) });
    },
  },
];
