import { fullOrNoPoints, type Rule } from '../rule';

/** EM005: the e-mail address has dots in places that RFC 5321 does not allow. */
export const emailSyntax: readonly Rule[] = [
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
];
