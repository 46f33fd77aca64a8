import { type Rule, fullOrNoPoints } from '../rule';

/** The rules about the postal address. */
export const addressRules: readonly Rule[] = [
  /** CP001: the postal code is in another state than the address. */
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
  /** CP002: the postal code is not known. This costs no points, because the person may live abroad, or the postal code may be new. */
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
