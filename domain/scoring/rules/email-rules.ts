import { busyEvaluator, fullOrNoPoints, roundLikeness, type Rule, sharingEvaluator } from '../rule';

/** The strength: 0 below the threshold, 0.5 at the threshold, then rising to 1 if mailbox and name are equal. */
function strengthOf(likeness: number, threshold: number): number {
  if (likeness < threshold) return 0;
  return threshold < 1 ? 0.5 + (0.5 * (likeness - threshold)) / (1 - threshold) : 1;
}

/** The rules about the e-mail address. */
export const emailRules: readonly Rule[] = [
  /** EM001: the e-mail address is disposable: its domain gives everybody an address for a short time. */
  {
    code: 'EM001',
    relevance: 'Negativo',
    category: 'Cadastro',
    relatedTo: ['Email'],
    text: {
      'pt-BR': 'O e-mail é de um domínio descartável.',
      en: 'The domain of the e-mail address is disposable.',
      es: 'El correo electrónico es de un dominio desechable.',
    },
    evaluate: ({ evidence: { email } }) => email && fullOrNoPoints(email.disposable, { disposable: email.disposable }),
  },
  /** EM002: the domain of the e-mail address has no mail server. If the DNS lookup fails, the rule does not hold. */
  {
    code: 'EM002',
    relevance: 'Negativo',
    category: 'Cadastro',
    relatedTo: ['Email'],
    text: {
      'pt-BR': 'O domínio do e-mail não tem servidor que receba mensagens.',
      en: 'The domain of the e-mail address has no server that takes mail.',
      es: 'El dominio del correo electrónico no tiene servidor que reciba mensajes.',
    },
    evaluate: ({ evidence: { email } }) =>
      email?.mailServer && fullOrNoPoints(email.mailServer === 'none', { mailServer: email.mailServer }),
  },
  /** EM003: the address resembles the name of the person. */
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
  /** EM004: several documents were used with the same e-mail address. */
  {
    code: 'EM004',
    relevance: 'Negativo',
    category: 'Velocidade',
    relatedTo: ['Document', 'Email'],
    text: {
      'pt-BR': 'O e-mail foi usado com vários documentos em poucos dias.',
      en: 'The e-mail address was used with several documents within a few days.',
      es: 'El correo electrónico fue usado con varios documentos en pocos días.',
    },
    evaluate: sharingEvaluator('Email'),
  },
  /** EM005: the e-mail address has dots in places that RFC 5321 does not allow. */
  {
    code: 'EM005',
    relevance: 'Negativo',
    category: 'Cadastro',
    relatedTo: ['Email'],
    text: {
      'pt-BR': 'O e-mail tem pontos onde nenhum endereço os tem.',
      en: 'The e-mail address has dots in invalid places.',
      es: 'El correo electrónico tiene puntos donde ninguna dirección los tiene.',
    },
    evaluate: ({ evidence: { email } }) =>
      email?.syntax && fullOrNoPoints(email.syntax === 'invalid', { syntax: email.syntax }),
  },
  /**
   * EM006: many transactions have the same e-mail address. An assessment reads only some of these transactions, so the other rules could miss
   * a fraud.
   */
  {
    code: 'EM006',
    relevance: 'Negativo',
    category: 'Velocidade',
    relatedTo: ['Email'],
    text: {
      'pt-BR': 'O e-mail foi usado em muitas transações em poucos dias.',
      en: 'The e-mail address was used in many transactions within a few days.',
      es: 'El correo fue usado en muchas transacciones en pocos días.',
    },
    evaluate: busyEvaluator('Email'),
  },
];
