import { type Rule, fullOrNoPoints } from '../rule';

/** The rules about the name, the mother and the age of the person. */
export const personRules: readonly Rule[] = [
  /** NM001: the name is unusual or has only one word. This costs no points, because some people have such a name. */
  {
    code: 'NM001',
    relevance: 'Neutro',
    category: 'Cadastro',
    relatedTo: ['Name'],
    text: {
      'pt-BR': 'O nome tem uma só palavra ou caracteres incomuns.',
      en: 'The name has one word only, or unusual characters.',
      es: 'El nombre tiene una sola palabra o caracteres inusuales.',
    },
    evaluate: ({ evidence: { name } }) =>
      name && fullOrNoPoints(name.words < 2 || name.unusual, { words: name.words, unusual: name.unusual }),
  },
  /** NM002: person and mother share a family name. If their whole names are equal, NM003 holds instead. */
  {
    code: 'NM002',
    relevance: 'Positivo',
    category: 'Cadastro',
    relatedTo: ['Name', 'MothersName'],
    text: {
      'pt-BR': 'A pessoa e a mãe têm um sobrenome em comum.',
      en: 'The person and the mother share a family name.',
      es: 'La persona y la madre tienen un apellido en común.',
    },
    evaluate({ evidence: { mother } }) {
      if (!mother) return undefined;
      const { sharesFamilyName, sameAsPerson } = mother;
      return fullOrNoPoints(sharesFamilyName && !sameAsPerson, { sharesFamilyName, sameAsPerson });
    },
  },
  /** NM003: the names of person and mother are equal. This is probably a mistake in the form. */
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
  /** BD001: the age is outside the limits of the policy. The details omit the age: together with a date, it can reveal the birthday. */
  {
    code: 'BD001',
    relevance: 'Negativo',
    category: 'Cadastro',
    relatedTo: ['Birthdate'],
    text: {
      'pt-BR': 'A idade está fora da faixa aceita.',
      en: 'The age is outside the accepted range.',
      es: 'La edad está fuera del rango aceptado.',
    },
    evaluate({ evidence: { age }, thresholds: { ageMin, ageMax } }) {
      if (age === undefined) return undefined;
      const side = age < ageMin ? 'below' : age > ageMax ? 'above' : 'within';
      return fullOrNoPoints(side !== 'within', { age: side, ageMin, ageMax });
    },
  },
];
