import { fullOrNoPoints, type Rule } from '../rule';

/** PH003: the phone is a landline, which receives no SMS. This costs no points, because a landline says nothing about the person. */
export const phoneLine: readonly Rule[] = [
  {
    code: 'PH003',
    relevance: 'Neutro',
    category: 'Cadastro',
    relatedTo: ['Phone'],
    text: {
      'pt-BR': 'O telefone é fixo e não recebe SMS.',
      en: 'The phone is a landline and cannot get text messages.',
      es: 'El teléfono es fijo y no recibe SMS.',
    },
    evaluate: ({ evidence: { phone } }) => phone && fullOrNoPoints(phone.line === 'landline', { line: phone.line }),
  },
];
