import { fullOrNoPoints, type Rule } from '../rule';

/** DC001: the check digits are wrong. A document of an unknown kind cannot be checked. */
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
