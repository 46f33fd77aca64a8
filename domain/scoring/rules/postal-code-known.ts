import { fullOrNoPoints, type Rule } from '../rule';

/** CP002: the postal code is not known. This costs no points, because the person may live abroad, or the postal code may be new. */
export const postalCodeKnown: readonly Rule[] = [
  {
    code: 'CP002',
    relevance: 'Neutro',
    category: 'Cadastro',
    relatedTo: ['ZipCode'],
    text: {
      'pt-BR': 'O CEP não é de nenhum estado do Brasil.',
      en: 'The postal code does not belong to a state of Brazil.',
      es: 'El código postal no es de ningún estado de Brasil.',
    },
    evaluate({ evidence: { postalCode } }) {
      if (!postalCode) return undefined;
      const known = postalCode.state !== undefined;
      return fullOrNoPoints(!known, { known });
    },
  },
];
