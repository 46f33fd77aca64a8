import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compilerOptions } from './compile.mjs';

/** Loads a TypeScript file that is not part of the build, without checking its types. */
export function requireTypescript(file) {
  const require = createRequire(import.meta.url);
  const { transformSync } = require('@swc/core');
  require.extensions['.ts'] = (module, filename) => {
    const { code } = transformSync(readFileSync(filename, 'utf8'), {
      ...compilerOptions,
      filename,
      sourceMaps: 'inline',
    });
    module._compile(code, filename);
  };
  return require(file);
}
