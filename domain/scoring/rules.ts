import type { Evidence, Relevance, Variable } from '../analysis';
import type { TransactionState } from '../state';

/** One finding that the service can tell, and what it adds to the score (points of 100). */
export interface Rule {
  /** Two letters and three digits, stable for ever. */
  code: string;
  description: string;
  category: 'Cadastro' | 'Confirmacao';
  relevance: Relevance;
  relatedTo: Variable[];
  weight: number;
  holds(evidence: Evidence, facts: TransactionState['facts']): boolean;
}

const resembles = (evidence: Evidence) => evidence.email?.resemblesName;

const sameState = (evidence: Evidence): boolean | undefined => {
  const [phone, postalCode] = [evidence.phone?.state, evidence.postalCode?.state];
  return phone && postalCode ? phone === postalCode : undefined;
};

/** The rules that need no history. Each fires on evidence alone, never on a missing field. */
export const rules: readonly Rule[] = [
  {
    code: 'DC001',
    description: 'Os dígitos verificadores do documento não conferem.',
    category: 'Cadastro',
    relevance: 'Negativo',
    relatedTo: ['Document'],
    weight: -25,
    holds: ({ document }) => document.checkDigits === 'wrong',
  },
  {
    code: 'DC002',
    description: 'O documento repete um único dígito.',
    category: 'Cadastro',
    relevance: 'Negativo',
    relatedTo: ['Document'],
    weight: -15,
    holds: ({ document }) => document.repeated,
  },
  {
    code: 'DC004',
    description: 'O CNPJ está no formato alfanumérico.',
    category: 'Cadastro',
    relevance: 'Neutro',
    relatedTo: ['Document'],
    weight: 0,
    holds: ({ document }) => document.kind === 'CNPJ' && document.alphanumeric,
  },
  {
    code: 'PH001',
    description: 'O DDD do telefone pertence ao estado do CEP.',
    category: 'Cadastro',
    relevance: 'Positivo',
    relatedTo: ['Phone', 'ZipCode'],
    weight: 8,
    holds: (evidence) => sameState(evidence) === true,
  },
  {
    code: 'PH001',
    description: 'O DDD do telefone é de outro estado que o CEP.',
    category: 'Cadastro',
    relevance: 'Negativo',
    relatedTo: ['Phone', 'ZipCode'],
    weight: -8,
    holds: (evidence) => sameState(evidence) === false,
  },
  {
    code: 'PH002',
    description: 'O DDD do telefone não existe.',
    category: 'Cadastro',
    relevance: 'Negativo',
    relatedTo: ['Phone'],
    weight: -15,
    holds: ({ phone }) => phone?.allocated === false,
  },
  {
    code: 'PH003',
    description: 'O telefone é fixo e não recebe SMS.',
    category: 'Cadastro',
    relevance: 'Neutro',
    relatedTo: ['Phone'],
    weight: 0,
    holds: ({ phone }) => phone?.line === 'landline',
  },
  {
    code: 'CP001',
    description: 'O CEP não pertence ao estado do endereço.',
    category: 'Cadastro',
    relevance: 'Negativo',
    relatedTo: ['ZipCode'],
    weight: -8,
    holds: ({ postalCode }) => postalCode?.matchesStatedState === false,
  },
  {
    code: 'EM001',
    description: 'O e-mail é de um domínio descartável.',
    category: 'Cadastro',
    relevance: 'Negativo',
    relatedTo: ['Email'],
    weight: -20,
    holds: ({ email }) => email?.disposable === true,
  },
  {
    code: 'EM003',
    description: 'O endereço de e-mail lembra o nome da pessoa.',
    category: 'Cadastro',
    relevance: 'Positivo',
    relatedTo: ['Email', 'Name'],
    weight: 6,
    // Band of a likely match: see docs/decisions on name similarity.
    holds: (evidence) => (resembles(evidence) ?? 0) >= 0.8,
  },
  {
    code: 'CF001',
    description: 'A pessoa confirmou o telefone.',
    category: 'Confirmacao',
    relevance: 'Positivo',
    relatedTo: ['Phone'],
    weight: 20,
    holds: (_, facts) => facts.phone !== undefined,
  },
  {
    code: 'CF002',
    description: 'A pessoa confirmou o e-mail.',
    category: 'Confirmacao',
    relevance: 'Positivo',
    relatedTo: ['Email'],
    weight: 15,
    holds: (_, facts) => facts.email !== undefined,
  },
  {
    code: 'CF003',
    description: 'A pessoa disse que não fez a solicitação.',
    category: 'Confirmacao',
    relevance: 'Negativo',
    relatedTo: ['Document'],
    weight: -60,
    holds: (_, facts) => facts.denied !== undefined,
  },
];

/** Points before any finding: neither trust nor distrust. */
export const basePoints = 50;
