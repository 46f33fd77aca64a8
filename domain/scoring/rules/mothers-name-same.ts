import { fullOrNoPoints, type Rule } from '../rule';

/** NM003: the names of person and mother are equal. This is probably a mistake in the form. */
export const mothersNameSame: readonly Rule[] = [
  {
    code: 'NM003',
    relevance: 'Negativo',
    category: 'Cadastro',
    relatedTo: ['Name', 'MothersName'],
    text: {
      'pt-BR': 'O nome da mãe é o mesmo da pessoa.',
      en: "The mother's name is the same as the person's.",
      es: 'El nombre de la madre es el mismo de la persona.',
    },
    evaluate: ({ evidence: { mother } }) =>
      mother && fullOrNoPoints(mother.sameAsPerson, { sameAsPerson: mother.sameAsPerson }),
  },
];
