import { assert, array, property, string } from 'fast-check';
import { nearest } from '../../platform/nearest';

test.each([
  ['becuase', ['when', 'then', 'because'], 'because'],
  ['coed', ['question', 'code', 'tell'], 'code'],
  ['deny', ['question', 'code', 'tell', 'denied'], 'denied'],
  ['Valid', ['valid', 'Expired'], 'valid'],
  ['second', ['then', 'visits', 'seconds'], 'seconds'],
  ['done', ['code', 'tell'], undefined],
  ['x', ['a', 'b'], undefined],
  ['', ['a'], undefined],
  ['a', [], undefined],
])('%j among %j means %j', (written, names, meant) => {
  const offer = nearest(written, names);
  expect(offer.meant).toBe(meant);
  expect(offer.names).toEqual(meant === undefined ? names : expect.arrayContaining(names));
  if (meant !== undefined) expect(offer.names[0]).toBe(meant);
});

test('all names are offered, whatever they are', () => {
  assert(
    property(string(), array(string()), (written, names) => {
      expect(nearest(written, names).names.toSorted()).toEqual(names.toSorted());
    }),
  );
});
