import { holds, type Rule } from '../rule';

/** NM003: one name in both fields, which is likelier a form filled in carelessly than a family. */
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
    evaluate: ({ evidence: { mother } }) => mother && holds(mother.sameAsPerson, { sameAsPerson: mother.sameAsPerson }),
  },
];
