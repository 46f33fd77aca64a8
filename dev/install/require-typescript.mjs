import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Loads a program that is not part of the build from its TypeScript. Types are not checked: `npm run check` does that. */
export function requireTypescript(file) {
  const require = createRequire(import.meta.url);
  const { transformSync } = require('@swc/core');
  require.extensions['.ts'] = (module, filename) => {
    const compiler = { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } };
    const { code } = transformSync(readFileSync(filename, 'utf8'), { ...compiler, filename, sourceMaps: 'inline' });
    module._compile(code, filename);
  };
  return require(file);
}
