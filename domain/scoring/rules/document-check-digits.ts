import { fullOrNoPoints, type Rule } from '../rule';

/** DC001: check digits. An unknown kind of document cannot be checked. */
export const documentCheckDigits: readonly Rule[] = [
  {
    code: 'DC001',
    relevance: 'Negativo',
    category: 'Cadastro',
    relatedTo: ['Document'],
    text: {
      'pt-BR': 'Os dígitos verificadores do documento não conferem.',
      en: 'The check digits of the document are wrong.',
      es: 'Los dígitos verificadores del documento no coinciden.',
    },
    evaluate: ({ evidence: { document } }) =>
      document.kind === 'unknown'
        ? undefined
        : fullOrNoPoints(document.checkDigits === 'wrong', { kind: document.kind, checkDigits: document.checkDigits }),
  },
];
