import { fullOrNoPoints, type Rule } from '../rule';

/**
 * CF003: the person denied the request. With the default policy, this finding lowers the score more than any other, because it comes from
 * the person.
 */
export const deniedByPerson: readonly Rule[] = [
  {
    code: 'CF003',
    relevance: 'Negativo',
    category: 'Confirmacao',
    relatedTo: ['Document'],
    text: {
      'pt-BR': 'A pessoa disse que não fez a solicitação.',
      en: 'The person said that the request was not theirs.',
      es: 'La persona dijo que no hizo la solicitud.',
    },
    evaluate: ({ facts }) => fullOrNoPoints(facts.deniedAt !== undefined, { denied: facts.deniedAt !== undefined }),
  },
];
