import { fullOrNoPoints, type Rule } from '../rule';

const kinds = ['Document', 'Phone', 'Email'] as const;

/** LK004: the person denied another transaction that has the same document, phone or e-mail address. */
export const linkDenied: readonly Rule[] = [
  {
    code: 'LK004',
    relevance: 'Negativo',
    category: 'Vinculo',
    relatedTo: ['Document', 'Phone', 'Email'],
    text: {
      'pt-BR': 'Outra transação com este documento, telefone ou e-mail foi negada pela pessoa.',
      en: 'Another transaction with this document, phone or e-mail address was denied by the person.',
      es: 'Otra transacción con este documento, teléfono o correo electrónico fue negada por la persona.',
    },
    evaluate({ evidence: { links } }) {
      const denialCounts = kinds.flatMap((kind) => {
        const denials = links?.countsByKind[kind]?.denials;
        return denials === undefined ? [] : [[kind.toLowerCase(), denials] as const];
      });
      if (denialCounts.length === 0) return undefined;
      return fullOrNoPoints(
        denialCounts.some(([, denials]) => denials > 0),
        Object.fromEntries(denialCounts),
      );
    },
  },
];
