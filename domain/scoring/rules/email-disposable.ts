import { fullOrNoPoints, type Rule } from '../rule';

/** EM001: the e-mail address is disposable: its domain gives everybody an address for a short time. */
export const emailDisposable: readonly Rule[] = [
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
];
