import { holds, type Rule } from '../rule';

/** DC004: letters stand in a CNPJ only since July 2026, so its company is a young one. */
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
      document.kind === 'CNPJ' ? holds(document.alphanumeric, { alphanumeric: document.alphanumeric }) : undefined,
  },
];
