import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Loads a TypeScript file that is not part of the build, without checking its types. */
export function requireTypescript(file) {
  const require = createRequire(import.meta.url);
  const { transformSync } = require('@swc/core');
  require.extensions['.ts'] = (module, filename) => {
    const compilerOptions = {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      module: { type: 'commonjs' },
    };
    const { code } = transformSync(readFileSync(filename, 'utf8'), {
      ...compilerOptions,
      filename,
      sourceMaps: 'inline',
    });
    module._compile(code, filename);
  };
  return require(file);
}
