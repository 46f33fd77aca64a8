import type { Evidence } from '../evidence';
import { fullOrNoPoints, type Rule } from '../rule';

/** Whether the fiscal region of the CPF includes the state of the postal code. Undefined if one of them is not known. */
function regionFits({ document: { states }, postalCode }: Evidence): boolean | undefined {
  return states && postalCode?.state ? states.includes(postalCode.state) : undefined;
}

/** DC003: CPF and postal code belong to the same region (positive) or to different regions (neutral, because people move). */
export const documentRegion: readonly Rule[] = [
  {
    code: 'DC003',
    relevance: 'Positivo',
    category: 'Cadastro',
    relatedTo: ['Document', 'ZipCode'],
    text: {
      'pt-BR': 'A região fiscal do CPF inclui o estado do CEP.',
      en: 'The fiscal region of the CPF includes the state of the postal code.',
      es: 'La región fiscal del CPF incluye el estado del código postal.',
    },
    evaluate: ({ evidence }) => {
      const within = regionFits(evidence);
      return within === undefined ? undefined : fullOrNoPoints(within, { regionFits: within });
    },
  },
  {
    code: 'DC003',
    relevance: 'Neutro',
    category: 'Cadastro',
    relatedTo: ['Document', 'ZipCode'],
    text: {
      'pt-BR': 'A região fiscal do CPF não inclui o estado do CEP.',
      en: 'The fiscal region of the CPF does not include the state of the postal code.',
      es: 'La región fiscal del CPF no incluye el estado del código postal.',
    },
    evaluate: ({ evidence }) => {
      const within = regionFits(evidence);
      return within === undefined ? undefined : fullOrNoPoints(!within, { regionFits: within });
    },
  },
];
