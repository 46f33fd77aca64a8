import type { Evidence } from '../evidence';
import { fullOrNoPoints, type Rule } from '../rule';

function sameState({ phone, postalCode }: Evidence): boolean | undefined {
  return phone?.state && postalCode?.state ? phone.state === postalCode.state : undefined;
}

/** PH001: the area code and the postal code belong to the same state (positive) or to different states (negative). */
export const phoneState: readonly Rule[] = [
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
];
