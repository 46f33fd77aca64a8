import { fullOrNoPoints, roundLikeness, type Rule, sharingEvaluator } from '../rule';

/** The rules about the card. */
export const cardRules: readonly Rule[] = [
  /** CD001: the document of the card owner is the document of the person (positive) or another document (negative). */
  {
    code: 'CD001',
    relevance: 'Positivo',
    category: 'Cartao',
    relatedTo: ['Document', 'Card'],
    text: {
      'pt-BR': 'O documento do titular do cartão é o da pessoa.',
      en: 'The document of the card owner is the document of the person.',
      es: 'El documento del titular de la tarjeta es el de la persona.',
    },
    evaluate({ evidence: { card } }) {
      const matches = card?.ownerDocumentMatches;
      return matches === undefined ? undefined : fullOrNoPoints(matches, { ownerDocumentMatches: matches });
    },
  },
  {
    code: 'CD001',
    relevance: 'Negativo',
    category: 'Cartao',
    relatedTo: ['Document', 'Card'],
    text: {
      'pt-BR': 'O documento do titular do cartão não é o da pessoa.',
      en: 'The document of the card owner is not the document of the person.',
      es: 'El documento del titular de la tarjeta no es el de la persona.',
    },
    evaluate({ evidence: { card } }) {
      const matches = card?.ownerDocumentMatches;
      return matches === undefined ? undefined : fullOrNoPoints(!matches, { ownerDocumentMatches: matches });
    },
  },
  /** CD002: the BIN, the first digits of the card, is not known. This costs no points, because the table of BINs may be out of date. */
  {
    code: 'CD002',
    relevance: 'Neutro',
    category: 'Cartao',
    relatedTo: ['Card'],
    text: {
      'pt-BR': 'O BIN do cartão não é conhecido.',
      en: 'The BIN of the card is not known.',
      es: 'El BIN de la tarjeta no es conocido.',
    },
    evaluate({ evidence: { card } }) {
      const known = card?.binKnown;
      return known === undefined ? undefined : fullOrNoPoints(!known, { binKnown: known });
    },
  },
  /** CD003: several documents were used with the same card. */
  {
    code: 'CD003',
    relevance: 'Negativo',
    category: 'Cartao',
    relatedTo: ['Document', 'Card'],
    text: {
      'pt-BR': 'O cartão foi usado com vários documentos em poucos dias.',
      en: 'The card was used with several documents within a few days.',
      es: 'La tarjeta fue usada con varios documentos en pocos días.',
    },
    evaluate: sharingEvaluator('Card'),
  },
  /**
   * CD004: the name on the card is the person's name (positive) or another name (negative). If the likeness of the names is between the two
   * thresholds, neither rule holds.
   */
  {
    code: 'CD004',
    relevance: 'Positivo',
    category: 'Cartao',
    relatedTo: ['Card', 'Name'],
    text: {
      'pt-BR': 'O nome do titular do cartão é o da pessoa.',
      en: 'The name of the card owner is the name of the person.',
      es: 'El nombre del titular de la tarjeta es el de la persona.',
    },
    evaluate({ evidence: { card }, thresholds: { ownerNameSame } }) {
      const likeness = card?.ownerNameLikeness;
      return likeness === undefined
        ? undefined
        : fullOrNoPoints(likeness >= ownerNameSame, { likeness: roundLikeness(likeness) });
    },
  },
  {
    code: 'CD004',
    relevance: 'Negativo',
    category: 'Cartao',
    relatedTo: ['Card', 'Name'],
    text: {
      'pt-BR': 'O nome do titular do cartão não é o da pessoa.',
      en: 'The name of the card owner is not the name of the person.',
      es: 'El nombre del titular de la tarjeta no es el de la persona.',
    },
    evaluate({ evidence: { card }, thresholds: { ownerNameOther } }) {
      const likeness = card?.ownerNameLikeness;
      return likeness === undefined
        ? undefined
        : fullOrNoPoints(likeness < ownerNameOther, { likeness: roundLikeness(likeness) });
    },
  },
  /** CD005: one document or one session used many cards. Perhaps somebody tests stolen cards. */
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
