import { fullOrNoPoints, type Rule } from '../rule';

/** CF004: the decision on the images is Approved (positive) or Rejected (negative). For Inconclusive, no rule holds. */
export const confirmedBiometrics: readonly Rule[] = [
  {
    code: 'CF004',
    relevance: 'Positivo',
    category: 'Confirmacao',
    relatedTo: ['Document'],
    text: {
      'pt-BR': 'A biometria confirmou a pessoa.',
      en: 'Biometrics confirmed the person.',
      es: 'La biometría confirmó a la persona.',
    },
    evaluate: ({ facts: { biometrics } }) =>
      fullOrNoPoints(biometrics?.status === 'Approved', { biometrics: biometrics?.status ?? 'none' }),
  },
  {
    code: 'CF004',
    relevance: 'Negativo',
    category: 'Confirmacao',
    relatedTo: ['Document'],
    text: {
      'pt-BR': 'A biometria não reconheceu a pessoa.',
      en: 'Biometrics did not recognize the person.',
      es: 'La biometría no reconoció a la persona.',
    },
    evaluate: ({ facts: { biometrics } }) =>
      fullOrNoPoints(biometrics?.status === 'Rejected', { biometrics: biometrics?.status ?? 'none' }),
  },
];
