import { fullOrNoPoints, type Rule } from '../rule';

/** CD002: the BIN, the first digits of the card, is not known. This costs no points, because the table of BINs may be out of date. */
export const cardBin: readonly Rule[] = [
  {
    code: 'CD002',
    relevance: 'Neutro',
    category: 'Cartao',
    relatedTo: ['Card'],
    text: {
      'pt-BR': 'O BIN do cartão não é conhecido.',
      en: 'The BIN of the card is not known.',
      es: 'El BIN de la tarjeta no es conocido.',
    },
    evaluate({ evidence: { card } }) {
      const known = card?.binKnown;
      return known === undefined ? undefined : fullOrNoPoints(!known, { binKnown: known });
    },
  },
];
