import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFlow } from '../../../dev/flow/main';
import { withChanges, validFlow } from '../../support/flow-changes';
import { flowMistakes } from '../../support/flow-mistakes';

const folder = mkdtempSync(join(tmpdir(), 'countersign-draw-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function draw(flow: unknown) {
  const file = join(folder, 'flow.json');
  writeFileSync(file, JSON.stringify(flow));
  rmSync(join(folder, 'flow.svg'), { force: true });
  const output = { out: '', err: '' };
  const code = await runFlow(['draw', file], {
    stdout: { write: (text) => (output.out += text) },
    stderr: { write: (text) => (output.err += text) },
    env: {},
  });
  return { code, ...output };
}

test('draw shows an arrow to a missing step, and reports that the step is missing', async () => {
  const { code, out, err } = await draw(
    withChanges(validFlow, { version: undefined, 'steps.code.exits.Valid': 'nowhere' }),
  );
  expect(code).toBe(1);
  expect(err).toMatch(
    /flow\.json: \d+ issues?\n {2}1:\d+ {2}steps\.code\.exits\.Valid \[leads-nowhere\]\n[^]*Wrote .*flow\.svg\.\n$/,
  );
  expect(out).toMatch(/^---\ntitle: /);
  expect(readFileSync(join(folder, 'flow.svg'), 'utf8')).toMatch(/^<svg /);
});

test('draw reports an unknown field, and draws the rest', async () => {
  const { code, out, err } = await draw(withChanges(validFlow, { version: undefined, 'steps.code.digits': 6 }));
  expect([code, err]).toEqual([1, expect.stringContaining('steps.code.digits [field-unknown]')]);
  expect(out).toMatch(/^---\ntitle: /);
});

test('draw rejects a file that PUT would reject for its size', async () => {
  const [, , changes] = flowMistakes.find(([name]) => name === 'a definition that is too large') ?? [];
  const { code, err } = await draw(withChanges(validFlow, { version: undefined, ...changes }));
  expect([code, err]).toEqual([2, expect.stringMatching(/flow\.json has \d+ bytes, but PUT accepts at most 65536\./)]);
});

const readableMistakes = flowMistakes.filter(
  ([name, code]) => code !== 'not-plain-data' && name !== 'a definition that is too large',
);

test.each(readableMistakes)('draw reports %s', async (_, _code, changes) => {
  const { code, err } = await draw(withChanges(validFlow, { version: undefined, ...changes }));
  expect([code, err]).toEqual([1, expect.stringMatching(/flow\.json: \d+ issues?\n/)]);
});
