import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { readLines } from '../../../dev/score/read-lines';

async function collectLines(chunks: string[], maxBytes = 100) {
  const lines: [number, string | undefined][] = [];
  for await (const { number, bytes } of readLines(Readable.from(chunks.map((text) => Buffer.from(text))), maxBytes)) {
    lines.push([number, bytes?.toString()]);
  }
  return lines;
}

it.each<[string, string[], [number, string | undefined][]]>([
  ['nothing', [], []],
  ['a line without an end', ['a'], [[1, 'a']]],
  [
    'a line break at the end',
    ['a\nb\n'],
    [
      [1, 'a'],
      [2, 'b'],
    ],
  ],
  [
    'empty lines keep their number',
    ['a\n\nb'],
    [
      [1, 'a'],
      [2, ''],
      [3, 'b'],
    ],
  ],
  [
    'a chunk that ends inside a line',
    ['a', 'b\nc', 'd'],
    [
      [1, 'ab'],
      [2, 'cd'],
    ],
  ],
])('readLines returns each line with its number: %s', async (_, chunks, expected) => {
  expect(await collectLines(chunks)).toEqual(expected);
});

it('readLines returns the same lines for chunks of any size', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '\n'), maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (content, size) => {
      const bytes = Buffer.from(content);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const lines: string[] = [];
      for await (const line of readLines(Readable.from(chunks), 1_000)) lines.push(line.bytes?.toString() ?? '');
      expect(lines).toEqual(
        content
          .replace(/\n$/, '')
          .split('\n')
          .slice(content === '' ? 1 : 0),
      );
    }),
  );
});

it('readLines returns no bytes for a line that is too long, and continues with the next line', async () => {
  expect(await collectLines(['ok\n', 'x'.repeat(60), `${'x'.repeat(60)}\n`, 'fine\n'])).toEqual([
    [1, 'ok'],
    [2, undefined],
    [3, 'fine'],
  ]);
  expect(await collectLines(['y'.repeat(101)])).toEqual([[1, undefined]]);
  expect(await collectLines(['y'.repeat(100)])).toEqual([[1, 'y'.repeat(100)]]);
});
