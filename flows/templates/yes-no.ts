import type { NamedReply } from '../../domain/flows/definition';

/** The two replies of every built-in second factor. */
export const yesNoReplies: readonly NamedReply[] = [
  {
    option: 1,
    name: 'Yes',
    meaning: 'yes',
    label: { 'pt-BR': 'SIM', en: 'YES', es: 'SÍ' },
    words: ['sim', 's', 'yes', 'y', 'si'],
  },
  {
    option: 2,
    name: 'No',
    meaning: 'no',
    label: { 'pt-BR': 'NÃO', en: 'NO', es: 'NO' },
    words: ['nao', 'n', 'no', 'not me'],
  },
];
