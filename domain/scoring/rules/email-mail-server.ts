import { holds, type Rule } from '../rule';

/** EM002: nobody can read mail there. DNS that could not be asked is no evidence. */
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
      email?.mailServer && holds(email.mailServer === 'none', { mailServer: email.mailServer }),
  },
];
