import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { requireTypescript } from './install/require-typescript.mjs';
import { root } from './install/command.mjs';

const { hasRightCheckDigits } = requireTypescript(join(root, 'domain', 'transactions', 'input.ts'));

// Prints a random valid CPF. Its ninth digit is 8, which stands for the state of São Paulo.

/** The first nine digits. */
const base = `${randomInt(10_000_000, 100_000_000)}8`;
const candidates = Array.from({ length: 100 }, (_, digits) => base + String(digits).padStart(2, '0'));
process.stdout.write(`${candidates.find((cpf) => hasRightCheckDigits('CPF', cpf))}\n`);
