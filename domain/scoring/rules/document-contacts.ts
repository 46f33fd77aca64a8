import { fullOrNoPoints, type Rule } from '../rule';

/**
 * DC005: a document was used with several phones or e-mail addresses. A person has only a few phones and e-mail addresses, so the document
 * may be stolen.
 */
export const documentContacts: readonly Rule[] = [
  {
    code: 'DC005',
    relevance: 'Negativo',
    category: 'Velocidade',
    relatedTo: ['Document', 'Phone', 'Email'],
    text: {
      'pt-BR': 'O documento foi visto com vários telefones ou e-mails em poucos dias.',
      en: 'The document was seen with several phones or e-mail addresses within a few days.',
      es: 'El documento fue visto con varios teléfonos o correos electrónicos en pocos días.',
    },
    evaluate({ evidence: { links }, thresholds: { contactsOfDocument, sharedWithinDays } }) {
      const { phones, emails } = links?.countsByKind.Document ?? {};
      if (phones === undefined && emails === undefined) return undefined;
      return fullOrNoPoints(Math.max(phones ?? 0, emails ?? 0) >= contactsOfDocument, {
        ...(phones === undefined ? {} : { phones }),
        ...(emails === undefined ? {} : { emails }),
        withinDays: sharedWithinDays,
      });
    },
  },
];
