import { fullOrNoPoints, type Rule } from '../rule';
import { documentLinkOf } from './document-link-of';

/**
 * LK003: the person confirmed the phone or the e-mail address in another transaction. If the transaction has a phone and an e-mail address,
 * each of them must also occur with the document in other transactions. Without this condition, a stranger could earn trust with the e-mail
 * address of the person and a phone of their own.
 */
export const linkConfirmed: readonly Rule[] = [
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
];
