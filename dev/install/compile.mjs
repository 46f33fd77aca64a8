import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { root } from './root.mjs';

/**
 * Options of swc, which removes the types of a TypeScript file and writes CommonJS. It does not check types: `npm run lint` does. Dynamic
 * imports stay as they are, so that they load their package only when they run.
 */
export const compilerOptions = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs', ignoreDynamic: true },
};

/** Compiles TypeScript files to JavaScript files with source maps. `files`: their paths in the repository. `outputFolder`: an absolute path. */
export async function compile(files, outputFolder) {
  // On a new machine, swc is not installed yet when this file is loaded.
  const { transformFile } = await import('@swc/core');
  const compileFile = async (file) => {
    const output = join(outputFolder, file.replace(/\.ts$/, '.js'));
    const { code, map } = await transformFile(join(root, file), {
      ...compilerOptions,
      ...{ sourceMaps: true, inlineSourcesContent: false },
      sourceFileName: relative(dirname(output), join(root, file)),
    });
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, `${code}//# sourceMappingURL=${basename(output)}.map\n`);
    writeFileSync(`${output}.map`, map);
  };
  await Promise.all(files.map(compileFile));
}
