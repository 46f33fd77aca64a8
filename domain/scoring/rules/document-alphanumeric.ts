import { fullOrNoPoints, type Rule } from '../rule';

/** DC004: a CNPJ has letters only since July 2026, so the company is new. */
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
