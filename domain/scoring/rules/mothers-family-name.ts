import { fullOrNoPoints, type Rule } from '../rule';

/** NM002: person and mother share a family name. If their whole names are equal, NM003 holds instead. */
export const mothersFamilyName: readonly Rule[] = [
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
];
