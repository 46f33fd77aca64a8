import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './root.mjs';

/**
 * Compiles TypeScript files to JavaScript files with source maps, as `tsc` does, but without checking types: `npm run lint` does this.
 * `files`: their paths in the repository. `outputFolder`: its name in the repository.
 */
export async function compile(files, outputFolder) {
  // On a new machine, TypeScript is not installed yet when this file is loaded.
  const { default: ts } = await import('typescript');
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const { options } = ts.convertCompilerOptionsFromJson({ ...compilerOptions, sourceMap: true }, root);
  for (const file of files) {
    const output = join(root, outputFolder, file.replace(/\.ts$/, '.js'));
    const { outputText, sourceMapText } = ts.transpileModule(readFileSync(join(root, file), 'utf8'), {
      compilerOptions: options,
      fileName: file,
    });
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, outputText);
    const upToRoot = '../'.repeat(file.split('/').length);
    writeFileSync(`${output}.map`, JSON.stringify({ ...JSON.parse(sourceMapText), sources: [`${upToRoot}${file}`] }));
  }
}
