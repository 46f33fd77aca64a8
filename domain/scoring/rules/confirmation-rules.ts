import { type Rule, fullOrNoPoints } from '../rule';

/** The rules about what the person confirmed or denied. */
export const confirmationRules: readonly Rule[] = [
  /** CF001: the person confirmed the phone, so they have it. */
  {
    code: 'CF001',
    relevance: 'Positivo',
    category: 'Confirmacao',
    relatedTo: ['Phone'],
    text: {
      'pt-BR': 'A pessoa confirmou o telefone.',
      en: 'The person confirmed the phone.',
      es: 'La persona confirmó el teléfono.',
    },
    evaluate: ({ facts }) =>
      fullOrNoPoints(facts.phoneConfirmedAt !== undefined, { confirmed: facts.phoneConfirmedAt !== undefined }),
  },
  /** CF002: the person confirmed the e-mail address, so they can read the mail that is sent to it. */
  {
    code: 'CF002',
    relevance: 'Positivo',
    category: 'Confirmacao',
    relatedTo: ['Email'],
    text: {
      'pt-BR': 'A pessoa confirmou o e-mail.',
      en: 'The person confirmed the e-mail address.',
      es: 'La persona confirmó el correo electrónico.',
    },
    evaluate: ({ facts }) =>
      fullOrNoPoints(facts.emailConfirmedAt !== undefined, { confirmed: facts.emailConfirmedAt !== undefined }),
  },
  /**
   * CF003: the person denied the request. With the default policy, this finding lowers the score more than any other, because it comes from
   * the person.
   */
  {
    code: 'CF003',
    relevance: 'Negativo',
    category: 'Confirmacao',
    relatedTo: ['Document'],
    text: {
      'pt-BR': 'A pessoa disse que não fez a solicitação.',
      en: 'The person said that the request was not theirs.',
      es: 'La persona dijo que no hizo la solicitud.',
    },
    evaluate: ({ facts }) => fullOrNoPoints(facts.deniedAt !== undefined, { denied: facts.deniedAt !== undefined }),
  },
  /** CF004: the decision on the images is Approved (positive) or Rejected (negative). For Inconclusive, no rule holds. */
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
