/** States of each fiscal region. The ninth digit of a CPF is the region in which it was issued. */
export const statesOfFiscalRegion: readonly (readonly string[])[] = [
  ['RS'],
  ['DF', 'GO', 'MS', 'MT', 'TO'],
  ['AC', 'AM', 'AP', 'PA', 'RO', 'RR'],
  ['CE', 'MA', 'PI'],
  ['AL', 'PB', 'PE', 'RN'],
  ['BA', 'SE'],
  ['MG'],
  ['ES', 'RJ'],
  ['SP'],
  ['PR', 'SC'],
];
