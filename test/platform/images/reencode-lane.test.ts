import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createReencoder,
  type Reencoder,
  ReencoderBusyError,
  type ReencoderOptions,
} from '../../../platform/images/reencode-image';
import { noise } from './pictures';

const folder = mkdtempSync(path.join(tmpdir(), 'countersign-threads-'));
const open: Reencoder[] = [];
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()));
  rmSync(folder, { recursive: true });
});

/** A thread that takes any picture whose last byte says nothing else. */
const fragile = `
  const { parentPort } = require('node:worker_threads');
  const answer = { jpeg: Buffer.from('ffd8', 'hex'), width: 1, height: 1, sharpness: 0, brightness: 0 };
  parentPort.on('message', ({ bytes }) => {
    switch (bytes.at(-1)) {
      case 1: for (;;);
      case 2: return process.exit(3);
      case 3: throw new Error('This picture kills.');
      case 4: { const kept = []; for (;;) kept.push(new Array(100_000).fill({})); }
      case 5: return;
      default: parentPort.postMessage({ ...answer, secrets: Object.keys(process.env).length });
    }
  });
  parentPort.postMessage('ready');`;

function reencoderWith(program: string, options: ReencoderOptions = {}): Reencoder {
  const threadFile = path.join(folder, `${open.length}.cjs`);
  writeFileSync(threadFile, program);
  const reencoder = createReencoder({ timeLimitMs: 1_500, threadFile, ...options });
  open.push(reencoder);
  return reencoder;
}

let jpeg: Buffer;
beforeAll(async () => {
  jpeg = await noise(8, 8);
});
const ending = (byte: number) => async () => Buffer.concat([jpeg, Buffer.from([byte])]);

test.each([
  ['hangs', 1],
  ['ends', 2],
  ['throws', 3],
  ['takes all memory it may have', 4],
  ['is silent', 5],
])('a thread that %s fails its image, and the ones before and after it are taken', async (_, byte) => {
  const reencoder = reencoderWith(fragile);
  const images = [ending(0), ending(byte), ending(0), ending(byte), ending(0)];
  const results = await Promise.all(images.map((one) => reencoder.reencode(one)));
  expect(results.map((one) => ('fault' in one ? one.fault : 'taken'))).toEqual([
    'taken',
    'unreadable',
    'taken',
    'unreadable',
    'taken',
  ]);
});

test('a thread that cannot start is not the fault of the image', async () => {
  const reencoder = reencoderWith(`throw new Error('The decoder is not installed.');`);
  for (let time = 0; time < 2; time += 1)
    await expect(reencoder.reencode(async () => jpeg)).rejects.toThrow('No thread for images could be started.');
});

test('a thread knows no setting of the service', async () => {
  expect(await reencoderWith(fragile).reencode(ending(0))).toMatchObject({ secrets: 0 });
});

/** Loads when it is told to, and tells that it was asked. */
function gate() {
  let open: (bytes: Buffer) => void = () => undefined;
  const opened = new Promise<Buffer | undefined>((resolve) => (open = resolve));
  const load = jest.fn(() => opened);
  return { load, open };
}
const taken = { width: 1 };

describe('what waits', () => {
  it('is loaded when its turn has come, and not before', async () => {
    const reencoder = reencoderWith(fragile);
    const gates = [gate(), gate(), gate()];
    const work = gates.map(({ load }) => reencoder.reencode(load));
    for (const [index, { open }] of gates.entries()) {
      await new Promise(setImmediate);
      expect(gates.map(({ load }) => load.mock.calls.length)).toEqual(gates.map((_, at) => Number(at <= index)));
      open(await ending(0)());
      expect(await work[index]).toMatchObject(taken);
    }
  });

  it('is no more than the re-encoder was told, in number, and each that has ended makes room', async () => {
    const reencoder = reencoderWith(fragile, { waitingMax: 2 });
    const first = gate();
    const work = [first.load, ending(0), ending(0)].map((load) => reencoder.reencode(load));
    const refused = gate();
    await expect(reencoder.reencode(refused.load)).rejects.toThrow(ReencoderBusyError);
    expect(refused.load).not.toHaveBeenCalled();
    first.open(await ending(0)());
    expect(await work[0]).toMatchObject(taken);
    for (const one of [...work, reencoder.reencode(ending(0))]) expect(await one).toMatchObject(taken);
  });

  it('and is gone, or cannot be loaded, keeps no other from its turn', async () => {
    const reencoder = reencoderWith(fragile);
    const away = async () => Promise.reject(new Error('The database is away.'));
    const work = [async () => undefined, away, ending(0)].map((load) => reencoder.reencode(load));
    const [gone, failed, last] = await Promise.allSettled(work);
    expect(gone).toEqual({ status: 'fulfilled', value: { fault: 'gone' } });
    expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'The database is away.' } });
    expect(last).toMatchObject({ status: 'fulfilled', value: taken });
  });

  it('is not loaded once the re-encoder is closed', async () => {
    const reencoder = reencoderWith(fragile);
    const [first, second] = [gate(), gate()];
    const outcomes = Promise.allSettled([reencoder.reencode(first.load), reencoder.reencode(second.load)]);
    await reencoder.close();
    first.open(await ending(0)());
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'The re-encoder is closed.' } });
    expect(second.load).not.toHaveBeenCalled();
  });
});

test('what waits or is worked on when the re-encoder closes says nothing of the image', async () => {
  const reencoder = reencoderWith(fragile, { timeLimitMs: 60_000 });
  await reencoder.reencode(ending(0));
  const work = [ending(5), ending(0)].map((one) => reencoder.reencode(one));
  const outcomes = Promise.allSettled(work);
  await reencoder.close();
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'The re-encoder is closed.' } });
  await expect(reencoder.reencode(ending(0))).rejects.toThrow('The re-encoder is closed.');
});
