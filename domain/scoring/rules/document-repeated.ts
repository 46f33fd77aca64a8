import { fullOrNoPoints, type Rule } from '../rule';

/** DC002: the document has only one digit, repeated. A CPF such as 111.111.111-11 has right check digits, but was never issued. */
export const documentRepeated: readonly Rule[] = [
  {
    code: 'DC002',
    relevance: 'Negativo',
    category: 'Cadastro',
    relatedTo: ['Document'],
    text: {
      'pt-BR': 'O documento repete um único dígito.',
      en: 'The document repeats a single digit.',
      es: 'El documento repite un único dígito.',
    },
    evaluate: ({ evidence: { document } }) =>
      document.kind === 'unknown' ? undefined : fullOrNoPoints(document.repeated, { repeated: document.repeated }),
  },
];
