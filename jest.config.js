/** Packages that are published only as ES modules. Jest runs CommonJS, so these packages are compiled like our own files. */
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
  setupFiles: ['<rootDir>/test/support/patient-pools.ts'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: {
    '^.+\\.ts$': compiler({ syntax: 'typescript' }),
    '^.+\\.js$': compiler({ syntax: 'ecmascript' }),
  },
  transformIgnorePatterns: [`/node_modules/(?!(${modulePackages.join('|')})/)`],
  // Groups of suites are written to .cache/suites: see dev/install/group-suites.mjs.
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/', '<rootDir>/.cache/(?!suites)'],
  // Some tests start a whole stack, or a Temporal server that skips waiting times. This is slow on a busy machine with two cores.
  testTimeout: 180_000,
};
