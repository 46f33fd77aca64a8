import { fullOrNoPoints, type Rule } from '../rule';

/** CF001: the person confirmed the phone, so they have it. */
export const confirmedPhone: readonly Rule[] = [
  {
    code: 'CF001',
    relevance: 'Positivo',
    category: 'Confirmacao',
    relatedTo: ['Phone'],
    text: {
      'pt-BR': 'A pessoa confirmou o telefone.',
      en: 'The person confirmed the phone.',
      es: 'La persona confirmó el teléfono.',
    },
    evaluate: ({ facts }) =>
      fullOrNoPoints(facts.phoneConfirmedAt !== undefined, { confirmed: facts.phoneConfirmedAt !== undefined }),
  },
];
