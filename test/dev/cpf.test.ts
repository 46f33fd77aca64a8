import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { hasRightCheckDigits } from '../../domain/check-digits';

test('npm run cpf prints another valid CPF each time', () => {
  const script = join(__dirname, '..', '..', 'dev', 'cpf.mjs');
  const printed = [1, 2, 3].map(() => execFileSync(process.execPath, [script], { encoding: 'utf8' }).trim());
  expect(printed.filter((cpf) => hasRightCheckDigits('CPF', cpf))).toHaveLength(3);
  expect(new Set(printed).size).toBe(3);
});
