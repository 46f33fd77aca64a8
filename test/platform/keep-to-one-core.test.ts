import { readCores } from '../../platform/keep-to-one-core';

test.each([
  ['0', [0]],
  ['0-1', [0, 1]],
  ['0-3,6,8-9', [0, 1, 2, 3, 6, 8, 9]],
])('the cores %s are %j', (list, cores) => {
  expect(readCores(list)).toEqual(cores);
});
