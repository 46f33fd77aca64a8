import { fullOrNoPoints, type Rule } from '../rule';

/** CP001: the postal code is in another state than the address. */
export const postalCodeState: readonly Rule[] = [
  {
    code: 'CP001',
    relevance: 'Negativo',
    category: 'Cadastro',
    relatedTo: ['ZipCode'],
    text: {
      'pt-BR': 'O CEP não pertence ao estado do endereço.',
      en: 'The postal code does not belong to the state of the address.',
      es: 'El código postal no pertenece al estado de la dirección.',
    },
    evaluate({ evidence: { postalCode } }) {
      const matches = postalCode?.matchesStatedState;
      return matches === undefined ? undefined : fullOrNoPoints(!matches, { matchesStatedState: matches });
    },
  },
];
