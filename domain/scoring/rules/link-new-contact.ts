import { fullOrNoPoints, type Rule } from '../rule';
import { documentLinkOf } from './document-link-of';

/**
 * LK005: a known document has a new phone or e-mail address. The document may be stolen, but people also change their phone or e-mail
 * address.
 */
export const linkNewContact: readonly Rule[] = [
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
