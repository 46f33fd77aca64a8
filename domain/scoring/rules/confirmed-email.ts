import { fullOrNoPoints, type Rule } from '../rule';

/** CF002: the person confirmed the e-mail address, so they can read the mail that is sent to it. */
export const confirmedEmail: readonly Rule[] = [
  {
    code: 'CF002',
    relevance: 'Positivo',
    category: 'Confirmacao',
    relatedTo: ['Email'],
    text: {
      'pt-BR': 'A pessoa confirmou o e-mail.',
      en: 'The person confirmed the e-mail address.',
      es: 'La persona confirmó el correo electrónico.',
    },
    evaluate: ({ facts }) =>
      fullOrNoPoints(facts.emailConfirmedAt !== undefined, { confirmed: facts.emailConfirmedAt !== undefined }),
  },
];
