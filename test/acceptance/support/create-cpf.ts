import { randomInt } from 'node:crypto';
import { hasRightCheckDigits } from '../../../domain/check-digits';

/** Returns a random valid CPF of a fiscal region: 0 is Rio Grande do Sul, 8 is São Paulo. */
export function createCpf(region: number): string {
  const base = `${randomInt(10_000_000, 99_999_999)}${region}`;
  for (let digits = 0; digits < 100; digits += 1) {
    const document = `${base}${String(digits).padStart(2, '0')}`;
    if (hasRightCheckDigits('CPF', document)) return document;
  }
  throw new Error(`No check digits fit ${base}.`);
}
