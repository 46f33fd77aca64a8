import type { Evidence } from '../evidence';
import { busyEvaluator, fullOrNoPoints, type Rule, sharingEvaluator } from '../rule';

function sameState({ phone, postalCode }: Evidence): boolean | undefined {
  return phone?.state && postalCode?.state ? phone.state === postalCode.state : undefined;
}

/** The rules about the phone. */
export const phoneRules: readonly Rule[] = [
  /** PH001: the area code and the postal code belong to the same state (positive) or to different states (negative). */
  {
    code: 'PH001',
    relevance: 'Positivo',
    category: 'Cadastro',
    relatedTo: ['Phone', 'ZipCode'],
    text: {
      'pt-BR': 'O DDD do telefone pertence ao estado do CEP.',
      en: 'The area code of the phone belongs to the state of the postal code.',
      es: 'El código de área del teléfono pertenece al estado del código postal.',
    },
    evaluate: ({ evidence }) => {
      const same = sameState(evidence);
      return same === undefined ? undefined : fullOrNoPoints(same, { sameState: same });
    },
  },
  {
    code: 'PH001',
    relevance: 'Negativo',
    category: 'Cadastro',
    relatedTo: ['Phone', 'ZipCode'],
    text: {
      'pt-BR': 'O DDD do telefone é de outro estado que o CEP.',
      en: 'The area code of the phone and the postal code belong to different states.',
      es: 'El código de área del teléfono es de otro estado que el código postal.',
    },
    evaluate: ({ evidence }) => {
      const same = sameState(evidence);
      return same === undefined ? undefined : fullOrNoPoints(!same, { sameState: same });
    },
  },
  /** PH002: the area code of the phone does not exist. */
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
  /** PH003: the phone is a landline, which receives no SMS. This costs no points, because a landline says nothing about the person. */
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
  /** PH004: several documents were used with the same phone. A few documents are normal, because families share a phone. */
  {
    code: 'PH004',
    relevance: 'Negativo',
    category: 'Velocidade',
    relatedTo: ['Document', 'Phone'],
    text: {
      'pt-BR': 'O telefone foi usado com vários documentos em poucos dias.',
      en: 'The phone was used with several documents within a few days.',
      es: 'El teléfono fue usado con varios documentos en pocos días.',
    },
    evaluate: sharingEvaluator('Phone'),
  },
  /**
   * PH005: many transactions have the same phone. An assessment reads only some of these transactions, so the other rules could miss a fraud.
   */
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
    evaluate: busyEvaluator('Phone'),
  },
];

/** The rules about the postal address. */
export const addressRules: readonly Rule[] = [
  /** CP001: the postal code is in another state than the address. */
  {
    code: 'CP001',
    relevance: 'Negativo',
    category: 'Cadastro',
    relatedTo: ['ZipCode'],
    text: {
      'pt-BR': 'O CEP não pertence ao estado do endereço.',
      en: 'The postal code does not belong to the state of the address.',
      es: 'El código postal no pertenece al estado de la dirección.',
    },
    evaluate({ evidence: { postalCode } }) {
      const matches = postalCode?.matchesStatedState;
      return matches === undefined ? undefined : fullOrNoPoints(!matches, { matchesStatedState: matches });
    },
  },
  /** CP002: the postal code is not known. This costs no points, because the person may live abroad, or the postal code may be new. */
  {
    code: 'CP002',
    relevance: 'Neutro',
    category: 'Cadastro',
    relatedTo: ['ZipCode'],
    text: {
      'pt-BR': 'O CEP não é de nenhum estado do Brasil.',
      en: 'The postal code does not belong to a state of Brazil.',
      es: 'El código postal no es de ningún estado de Brasil.',
    },
    evaluate({ evidence: { postalCode } }) {
      if (!postalCode) return undefined;
      const known = postalCode.state !== undefined;
      return fullOrNoPoints(!known, { known });
    },
  },
];
