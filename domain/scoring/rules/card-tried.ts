import { fullOrNoPoints, type Rule } from '../rule';

/** CD005: one document or one session used many cards. Perhaps somebody tests stolen cards. */
export const cardTried: readonly Rule[] = [
  {
    code: 'CD005',
    relevance: 'Negativo',
    category: 'Cartao',
    relatedTo: ['Document', 'Card', 'Session'],
    text: {
      'pt-BR': 'O documento ou a sessão usou vários cartões em poucos dias.',
      en: 'The document or the session used several cards within a few days.',
      es: 'El documento o la sesión usó varias tarjetas en pocos días.',
    },
    evaluate({ evidence: { links }, thresholds: { contactsOfDocument, sharedWithinDays } }) {
      const counts = [links?.countsByKind.Document?.cards, links?.countsByKind.Session?.cards].filter(
        (count) => count !== undefined,
      );
      if (!links?.countsByKind.Card || counts.length === 0) return undefined;
      // The threshold `contactsOfDocument` is for phones, e-mail addresses and cards.
      const cards = Math.max(...counts);
      return fullOrNoPoints(cards >= contactsOfDocument, { cards, withinDays: sharedWithinDays });
    },
  },
];
