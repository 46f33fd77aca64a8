import { fullOrNoPoints, type Rule } from '../rule';

/** EM002: the domain of the e-mail address has no mail server. If the DNS lookup fails, the rule does not hold. */
export const emailMailServer: readonly Rule[] = [
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
];
