import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './command.mjs';

/** Replaces a file in one step, because a process may be loading it. */
function replaceFile(file, content) {
  writeFileSync(`${file}.${process.pid}`, content);
  renameSync(`${file}.${process.pid}`, file);
}

/**
 * Compiles TypeScript files to JavaScript files with source maps, as `tsc` does, but does not check types (`npm run lint` checks them).
 * Throws an error if the syntax of a file is wrong. `files`: their paths in the repository. `outputFolder`: its name in the repository.
 */
export async function compile(files, outputFolder) {
  // The import is here, because on a new machine, TypeScript is not installed yet when this file is loaded.
  const { default: ts } = await import('typescript');
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const { options } = ts.convertCompilerOptionsFromJson({ ...compilerOptions, sourceMap: true }, root);
  const formatHost = { getCurrentDirectory: () => root, getCanonicalFileName: (name) => name, getNewLine: () => '\n' };
  for (const file of files) {
    const output = join(root, outputFolder, file.replace(/\.ts$/, '.js'));
    const text = readFileSync(join(root, file), 'utf8');
    const result = ts.transpileModule(text, { compilerOptions: options, fileName: file, reportDiagnostics: true });
    const { outputText, sourceMapText, diagnostics = [] } = result;
    if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, formatHost).trim());
    mkdirSync(dirname(output), { recursive: true });
    replaceFile(output, outputText);
    const upToRoot = '../'.repeat(file.split('/').length);
    replaceFile(`${output}.map`, JSON.stringify({ ...JSON.parse(sourceMapText), sources: [`${upToRoot}${file}`] }));
  }
}
