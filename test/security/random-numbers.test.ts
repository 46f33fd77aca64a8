import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..', '..');
const folders = ['domain', 'flows', 'store', 'workflows', 'activities', 'api', 'worker', 'platform'];

test('production code never uses `Math.random`, whose numbers an attacker can predict', () => {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|mjs)$/.test(file))
      .map((file) => path.join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => /\bMath\s*\.\s*random\b/.test(readFileSync(path.join(root, file), 'utf8')))).toEqual(
    [],
  );
});
