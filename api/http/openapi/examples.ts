/** A transaction that passes every check; the number is one of those that no person has. */
export const transactionExample = {
  documentType: 'CPF',
  document: '529.982.247-25',
  name: 'Maria da Silva',
  birthdate: '1990-05-17',
  email: 'maria@example.com',
  phone: { countryCode: 55, areaCode: 11, number: 987654321 },
  address: { zipCode: '01310-100', city: 'São Paulo', state: 'SP', country: 'Brasil' },
  genericFields: { locale: 'pt-BR', order: '4711' },
} as const;
