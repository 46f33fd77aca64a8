import { documentLinkOf, fullOrNoPoints, type Rule, seenTogetherEvaluator, sharingEvaluator } from '../rule';

const kinds = ['Document', 'Phone', 'Email'] as const;

/** The rules about other transactions with the same document. */
export const linkRules: readonly Rule[] = [
  /** LK001: the document and the phone were seen together on other dates. */
  {
    code: 'LK001',
    relevance: 'Positivo',
    category: 'Vinculo',
    relatedTo: ['Document', 'Phone'],
    text: {
      'pt-BR': 'O documento e o telefone já foram vistos juntos em outras datas.',
      en: 'The document and the phone were seen together on other dates.',
      es: 'El documento y el teléfono ya fueron vistos juntos en otras fechas.',
    },
    evaluate: seenTogetherEvaluator('Phone'),
  },
  /** LK002: the document and the e-mail address were seen together on other dates. */
  {
    code: 'LK002',
    relevance: 'Positivo',
    category: 'Vinculo',
    relatedTo: ['Document', 'Email'],
    text: {
      'pt-BR': 'O documento e o e-mail já foram vistos juntos em outras datas.',
      en: 'The document and the e-mail address were seen together on other dates.',
      es: 'El documento y el correo electrónico ya fueron vistos juntos en otras fechas.',
    },
    evaluate: seenTogetherEvaluator('Email'),
  },
  /**
   * LK003: the person confirmed the phone or the e-mail address in another transaction. If the transaction has a phone and an e-mail address,
   * each of them must also occur with the document in other transactions. Without this condition, a stranger could earn trust with the e-mail
   * address of the person and a phone of their own.
   */
  {
    code: 'LK003',
    relevance: 'Positivo',
    category: 'Vinculo',
    relatedTo: ['Document', 'Phone', 'Email'],
    text: {
      'pt-BR': 'A pessoa já confirmou este telefone ou este e-mail em outra transação.',
      en: 'The person confirmed this phone or this e-mail address in another transaction.',
      es: 'La persona ya confirmó este teléfono o este correo electrónico en otra transacción.',
    },
    evaluate({ evidence: { links } }) {
      const [phone, email] = [documentLinkOf(links, 'Phone'), documentLinkOf(links, 'Email')];
      const contacts = [phone, email].filter((contact) => contact !== undefined);
      if (contacts.length === 0) return undefined;
      const holds = contacts.every(({ times }) => times > 0) && contacts.some(({ confirmed }) => confirmed > 0);
      return fullOrNoPoints(holds, {
        ...(phone ? { phone: phone.confirmed } : {}),
        ...(email ? { email: email.confirmed } : {}),
      });
    },
  },
  /** LK004: the person denied another transaction that has the same document, phone or e-mail address. */
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
  /**
   * LK005: a known document has a new phone or e-mail address. The document may be stolen, but people also change their phone or e-mail
   * address.
   */
  {
    code: 'LK005',
    relevance: 'Negativo',
    category: 'Vinculo',
    relatedTo: ['Document', 'Phone', 'Email'],
    text: {
      'pt-BR': 'O documento já é conhecido, mas não com este telefone ou este e-mail.',
      en: 'The document is known, but not with this phone or this e-mail address.',
      es: 'El documento ya es conocido, pero no con este teléfono o este correo electrónico.',
    },
    evaluate({ evidence: { links } }) {
      const [phone, email] = [documentLinkOf(links, 'Phone'), documentLinkOf(links, 'Email')];
      if (!links || (!phone && !email)) return undefined;
      const known =
        links.pairs.some(({ pair }) => pair.includes('Document')) ||
        (links.countsByKind.Document?.transactions ?? 1) > 1;
      const newPhone = phone?.times === 0;
      const newEmail = email?.times === 0;
      return fullOrNoPoints(known && (newPhone || newEmail), { known, newPhone, newEmail });
    },
  },
];

/** The rules about the session and the identifier of the caller. */
export const sessionRules: readonly Rule[] = [
  /** SS001: several documents were used with the same `sessionId`. */
  {
    code: 'SS001',
    relevance: 'Negativo',
    category: 'Sessao',
    relatedTo: ['Document', 'Session'],
    text: {
      'pt-BR': 'A sessão foi usada com vários documentos em poucos dias.',
      en: 'The session was used with several documents within a few days.',
      es: 'La sesión fue usada con varios documentos en pocos días.',
    },
    evaluate: sharingEvaluator('Session'),
  },
  /** ID001: several documents were used with the same `identifierId`, a value that the caller chooses, such as the id of a device. */
  {
    code: 'ID001',
    relevance: 'Negativo',
    category: 'Sessao',
    relatedTo: ['Document', 'Identifier'],
    text: {
      'pt-BR': 'O identificador foi usado com vários documentos em poucos dias.',
      en: 'The identifier was used with several documents within a few days.',
      es: 'El identificador fue usado con varios documentos en pocos días.',
    },
    evaluate: sharingEvaluator('Identifier'),
  },
];
