import { randomInt } from 'node:crypto';
import { hasRightCheckDigits } from '../../../domain/transactions/input';

/** A random valid CPF. `region`: 0 is Rio Grande do Sul, 8 is São Paulo. */
export function createCpf(region: number): string {
  const base = `${randomInt(10_000_000, 99_999_999)}${region}`;
  for (let checkDigits = 0; checkDigits < 100; checkDigits += 1) {
    const document = `${base}${String(checkDigits).padStart(2, '0')}`;
    if (hasRightCheckDigits('CPF', document)) return document;
  }
  throw new Error(`No check digits fit ${base}.`);
}
