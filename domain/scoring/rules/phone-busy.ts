import type { Rule } from '../rule';
import { busy } from './busy';

/** PH005: whoever hides a ring behind a flood of other transactions is seen by the flood. */
export const phoneBusy: readonly Rule[] = [
  {
    code: 'PH005',
    relevance: 'Negativo',
    category: 'Velocidade',
    relatedTo: ['Phone'],
    text: {
      'pt-BR': 'O telefone foi usado em muitas transações em poucos dias.',
      en: 'The phone was used in many transactions within a few days.',
      es: 'El teléfono fue usado en muchas transacciones en pocos días.',
    },
    evaluate: busy('Phone'),
  },
];
