import type { Rule } from '../rule';
import { roundLikeness } from './round-likeness';

/** The strength: 0 below the threshold, 0.5 at the threshold, then rising to 1 if mailbox and name are equal. */
function strengthOf(likeness: number, threshold: number): number {
  if (likeness < threshold) return 0;
  return threshold < 1 ? 0.5 + (0.5 * (likeness - threshold)) / (1 - threshold) : 1;
}

/** EM003: the address resembles the name of the person. */
export const emailResemblesName: readonly Rule[] = [
  {
    code: 'EM003',
    relevance: 'Positivo',
    category: 'Cadastro',
    relatedTo: ['Email', 'Name'],
    text: {
      'pt-BR': 'O endereço de e-mail lembra o nome da pessoa.',
      en: "The e-mail address resembles the person's name.",
      es: 'La dirección de correo electrónico se parece al nombre de la persona.',
    },
    evaluate({ evidence: { email }, thresholds }) {
      const likeness = email?.resemblesName;
      if (likeness === undefined) return undefined;
      return {
        strength: strengthOf(likeness, thresholds.mailboxResembles),
        details: { likeness: roundLikeness(likeness) },
      };
    },
  },
];
