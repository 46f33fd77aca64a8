import path from 'node:path';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createReencoder, type Reencoder, type ReencoderOptions } from '../../images/reencode-image';
import { asTenant } from '../../platform/postgres/tenant-scope';
import { noiseImage } from './test-images';

const folder = mkdtempSync(path.join(tmpdir(), 'countersign-programs-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * A program in place of the decoder. If the last byte of the image is 1, 2, 3 or 4, the program fails in one of four ways. It accepts every
 * other image.
 */
const decoderSource = `
  const os = require('node:os');
  const bytes = require('node:fs').readFileSync(0);
  const settings = Object.keys(process.env).length;
  switch (bytes.at(-1)) {
    case 1: for (;;);
    case 2: process.kill(process.pid, 'SIGSEGV'); for (;;);
    case 3: { const kept = []; for (;;) kept.push(new Array(100_000).fill({})); }
    case 4: throw new Error('The decoder is not installed.');
    default: console.log(JSON.stringify({ width: 1, settings, priority: os.getPriority() }));
  }`;

let programCount = 0;
function reencoderWith(source: string, options: ReencoderOptions = {}): Reencoder {
  const program = path.join(folder, `${(programCount += 1)}.cjs`);
  writeFileSync(program, source);
  return createReencoder({ program, ...options });
}

let jpeg: Buffer;
beforeAll(async () => {
  jpeg = await noiseImage(8, 8);
});
const imageEndingWith = (byte: number) => async () => Buffer.concat([jpeg, Buffer.from([byte])]);
const acceptedResult = { width: 1 };

test.each([
  ['hangs', 1],
  ['crashes', 2],
  ['uses all its memory', 3],
])(
  'if a decoder %s, its image counts as unreadable, and the images before and after this image are accepted',
  async (_, byte) => {
    const reencoder = reencoderWith(decoderSource, { timeLimitMs: 10_000 });
    const results = await Promise.all([0, byte, 0].map((one) => reencoder.reencode(imageEndingWith(one))));
    expect(results).toEqual([
      expect.objectContaining(acceptedResult),
      { error: 'unreadable' },
      expect.objectContaining(acceptedResult),
    ]);
  },
  60_000,
);

test('if the decoder cannot start, the image does not count as invalid', async () => {
  const reencoder = reencoderWith(decoderSource);
  await expect(reencoder.reencode(imageEndingWith(4))).rejects.toThrow('The decoder of images ended with exit code 1.');
  expect(await reencoder.reencode(imageEndingWith(0))).toMatchObject(acceptedResult);
});

test('a decoder gets no settings of the service, and runs with a lower priority', async () => {
  expect(await reencoderWith(decoderSource).reencode(imageEndingWith(0))).toMatchObject({ settings: 0, priority: 10 });
});

/** `load` waits until `open` is called. */
function createGate() {
  let open: (bytes: Buffer) => void = () => undefined;
  const loadPromise = new Promise<Buffer | undefined>((resolve) => (open = resolve));
  const load = jest.fn(() => loadPromise);
  return { load, open };
}

test('an image of another tenant does not wait until the image of a tenant is decoded', async () => {
  const reencoder = reencoderWith(decoderSource);
  const slow = createGate();
  const ofAcme = asTenant('acme', () => reencoder.reencode(slow.load));
  const next = createGate();
  const secondOfAcme = asTenant('acme', () => reencoder.reencode(next.load));
  expect(await asTenant('other', () => reencoder.reencode(imageEndingWith(0)))).toMatchObject(acceptedResult);
  // A tenant has only one slot.
  expect(next.load).not.toHaveBeenCalled();
  for (const { open } of [slow, next]) open(await imageEndingWith(0)());
  expect(await Promise.all([ofAcme, secondOfAcme])).toEqual(Array(2).fill(expect.objectContaining(acceptedResult)));
});

describe('a waiting image', () => {
  it('a waiting image is loaded only when its turn comes', async () => {
    const reencoder = reencoderWith(decoderSource);
    const gates = [createGate(), createGate(), createGate()];
    const results = gates.map(({ load }) => asTenant('acme', () => reencoder.reencode(load)));
    for (const [index, { open }] of gates.entries()) {
      await new Promise(setImmediate);
      expect(gates.map(({ load }) => load.mock.calls.length)).toEqual(gates.map((_, at) => Number(at <= index)));
      open(await imageEndingWith(0)());
      expect(await results[index]).toMatchObject(acceptedResult);
    }
  });

  it('a waiting image does not block others when it is missing or cannot be loaded', async () => {
    const reencoder = reencoderWith(decoderSource);
    const failToLoad = async () => Promise.reject(new Error('The database is not available.'));
    const results = [async () => undefined, failToLoad, imageEndingWith(0)].map((load) => reencoder.reencode(load));
    const [missing, failed, last] = await Promise.allSettled(results);
    expect(missing).toEqual({ status: 'fulfilled', value: { error: 'gone' } });
    expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'The database is not available.' } });
    expect(last).toMatchObject({ status: 'fulfilled', value: acceptedResult });
  });
});
