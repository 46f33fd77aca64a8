import { fullOrNoPoints, type Rule } from '../rule';

/** BD001: the age is outside the limits of the policy. The details omit the age: together with a date, it can reveal the birthday. */
export const birthdate: readonly Rule[] = [
  {
    code: 'BD001',
    relevance: 'Negativo',
    category: 'Cadastro',
    relatedTo: ['Birthdate'],
    text: {
      'pt-BR': 'A idade está fora da faixa aceita.',
      en: 'The age is outside the accepted range.',
      es: 'La edad está fuera del rango aceptado.',
    },
    evaluate({ evidence: { age }, thresholds: { ageMin, ageMax } }) {
      if (age === undefined) return undefined;
      const side = age < ageMin ? 'below' : age > ageMax ? 'above' : 'within';
      return fullOrNoPoints(side !== 'within', { age: side, ageMin, ageMax });
    },
  },
];
