import { fullOrNoPoints, type Rule } from '../rule';

/** DC004: the CNPJ has letters. Only companies registered since July 2026 have such a CNPJ. */
export const documentAlphanumeric: readonly Rule[] = [
  {
    code: 'DC004',
    relevance: 'Neutro',
    category: 'Cadastro',
    relatedTo: ['Document'],
    text: {
      'pt-BR': 'O CNPJ está no formato alfanumérico.',
      en: 'The CNPJ is in the alphanumeric format.',
      es: 'El CNPJ está en el formato alfanumérico.',
    },
    evaluate: ({ evidence: { document } }) =>
      document.kind === 'CNPJ'
        ? fullOrNoPoints(document.alphanumeric, { alphanumeric: document.alphanumeric })
        : undefined,
  },
];
