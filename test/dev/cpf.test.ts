import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { hasRightCheckDigits } from '../../domain/transactions/input';

test('npm run cpf prints another valid CPF each time', () => {
  const script = join(__dirname, '..', '..', 'dev', 'cpf.mjs');
  const cpfs = [1, 2, 3].map(() => execFileSync(process.execPath, [script], { encoding: 'utf8' }).trim());
  expect(cpfs.filter((cpf) => hasRightCheckDigits('CPF', cpf))).toHaveLength(3);
  expect(new Set(cpfs).size).toBe(3);
});
