import { fullOrNoPoints, type Rule } from '../rule';

/** PH002: the area code of the phone does not exist. */
export const phoneAllocated: readonly Rule[] = [
  {
    code: 'PH002',
    relevance: 'Negativo',
    category: 'Cadastro',
    relatedTo: ['Phone'],
    text: {
      'pt-BR': 'O DDD do telefone não existe.',
      en: 'The area code of the phone does not exist.',
      es: 'El código de área del teléfono no existe.',
    },
    evaluate: ({ evidence: { phone } }) => phone && fullOrNoPoints(!phone.allocated, { allocated: phone.allocated }),
  },
];
