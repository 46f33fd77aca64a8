import type { ReplyOption } from '../domain/flow';

/** The two answers of every built-in second factor. */
export const yesNo: readonly ReplyOption[] = [
  {
    option: 1,
    meaning: 'yes',
    label: { 'pt-BR': 'SIM', en: 'YES', es: 'SÍ' },
    words: ['sim', 's', 'yes', 'y', 'si'],
  },
  {
    option: 2,
    meaning: 'no',
    label: { 'pt-BR': 'NÃO', en: 'NO', es: 'NO' },
    words: ['nao', 'n', 'no', 'not me'],
  },
];
