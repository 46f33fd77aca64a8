/** Packages that are published as ES modules only; jest runs CommonJS, so they are compiled like our own files. */
const modulePackages = ['jose', 'node-pg-migrate', '@marcbachmann/cel-js', 'get-port'];

const compiler = (parser) => [
  '@swc/jest',
  {
    jsc: { parser, target: 'es2022' },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/support/servers/setup-run.ts',
  globalTeardown: '<rootDir>/test/support/servers/teardown-run.ts',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: {
    '^.+\\.ts$': compiler({ syntax: 'typescript' }),
    '^.+\\.js$': compiler({ syntax: 'ecmascript' }),
  },
  transformIgnorePatterns: [`/node_modules/(?!(${modulePackages.join('|')})/)`],
  // Groups of suites are written to .cache/suites: see dev/install/group-suites.mjs.
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/', '<rootDir>/.cache/(?!suites)'],
  // Whole stacks and a time-skipping server start inside tests; on a busy machine with two cores that takes a while.
  testTimeout: 180_000,
};
