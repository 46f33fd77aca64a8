import { fullOrNoPoints, type Rule } from '../rule';

/** NM001: the name is unusual or has only one word. This costs no points, because some people have such a name. */
export const nameForm: readonly Rule[] = [
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
];
