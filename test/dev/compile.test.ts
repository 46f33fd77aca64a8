import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(__dirname, '..', '..');
mkdirSync(join(root, '.cache'), { recursive: true });
const folder = mkdtempSync(join(root, '.cache', 'compile-'));
const inRepository = relative(root, folder);
afterAll(() => rmSync(folder, { recursive: true }));

/** Compiles a TypeScript file as the build does. `code`: the JavaScript, if it was written. */
function compile(text: string) {
  writeFileSync(join(folder, 'code.ts'), text);
  const [files, outputFolder] = [[`${inRepository}/code.ts`], `${inRepository}/out`];
  const script = `import { compile } from './dev/install/compile.mjs';
    await compile(${JSON.stringify(files)}, ${JSON.stringify(outputFolder)});`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
  });
  const output = join(root, outputFolder, inRepository, 'code.js');
  return { status, stderr, code: existsSync(output) ? readFileSync(output, 'utf8') : undefined };
}

test('the build fails at a syntax error, names its place, and writes no file', () => {
  const { status, stderr, code } = compile('export const right = 1;\nexport const wrong = (;\n');
  expect([status, code]).toEqual([1, undefined]);
  expect(stderr).toContain(`${inRepository}/code.ts(2,23): error TS1109: Expression expected.`);
});

test('the build removes types, and keeps a dynamic import, which loads its package only when the code with the import runs', () => {
  const { status, code } = compile("export const load = (name: string): Promise<unknown> => import('sharp');\n");
  expect(status).toBe(0);
  expect(code).toContain("const load = (name) => import('sharp');");
  expect(code).toMatch(/\n\/\/# sourceMappingURL=code\.js\.map$/);
});
