import { holds, type Rule } from '../rule';
import { pairIn } from './pair-in';

/** LK003: the person has shown before that the phone or the address is theirs. */
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
    look({ evidence: { links } }) {
      const [phone, email] = [pairIn(links, 'Phone')?.confirmed, pairIn(links, 'Email')?.confirmed];
      if (phone === undefined && email === undefined) return undefined;
      return holds((phone ?? 0) + (email ?? 0) > 0, {
        ...(phone === undefined ? {} : { phone }),
        ...(email === undefined ? {} : { email }),
      });
    },
  },
];
