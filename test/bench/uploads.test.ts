import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { PersonsBrowser } from '../../bench/uploads/persons-browser';
import { makePhotograph } from '../../bench/uploads/photograph';
import { machineMs, mostResidentMb, processCpuMs } from '../../bench/uploads/process-figures';
import { memoryOf } from '../../bench/uploads/round-memory';
import type { Phase } from '../../bench/uploads/run-phases';
import { TransactionReader } from '../../bench/uploads/transaction-reader';
import { readingsByStep } from '../../bench/uploads/uploads-report';
import { evaluate, type Judged, quietRounds } from '../../bench/uploads/verdict';

const phaseOf = (p99: number, { others = 0, status = 200 } = {}): Phase => ({
  readings: [{ at: 0, ms: p99, status }],
  spent: { ms: 1_000, mainThread: 0, api: 0, machine: 0, others },
});
const roundOf = (ratio: number, otherwise = {}): Judged => ({
  idle: phaseOf(3),
  uploading: phaseOf(3 * ratio, otherwise),
});

describe('rounds of uploads', () => {
  it.each([
    ['as slow as promised', [roundOf(2)], 149, true],
    ['slower in most rounds', [roundOf(2.1), roundOf(2.1), roundOf(1)], 0, false],
    ['slower in one of three', [roundOf(9), roundOf(1), roundOf(1)], 0, false],
    ['as large as it must not be', [roundOf(1)], 150, false],
    ['not always answered', [roundOf(1, { status: 503 })], 0, false],
  ])('are judged when the API is %s', (_, rounds, growthMb, held) => {
    expect(evaluate(rounds, growthMb).held).toBe(held);
  });

  it('count when the machine did little else, and it is told when it did', () => {
    const [quiet, loud] = [roundOf(1), roundOf(9, { others: 300 })];
    expect(quietRounds([quiet, loud, quiet, quiet])).toEqual([quiet, quiet, quiet]);
    expect(quietRounds([quiet, loud, loud])).toHaveLength(3);
    expect(evaluate([quiet, loud, loud, loud, quiet, quiet], 0)).toMatchObject({ held: true });
    expect(evaluate([loud], 0).text).toMatch(/30 % of one core: measure again/);
  });

  it('have memory from samples around their uploads', () => {
    const uploads = [
      { beganAt: 10_000, lastChunkAt: 11_000, doneAt: 12_000, sentAway: 0 },
      { beganAt: 10_500, lastChunkAt: 12_000, doneAt: 14_000, sentAway: 0 },
    ];
    const samples: [number, number][] = [1_000, 6_000, 8_000, 9_000, 11_000, 14_000, 15_000].map((at, index) => [
      at,
      [900, 100, 104, 120, 300, 200, 800][index] ?? 0,
    ]);
    expect(memoryOf(samples, uploads)).toEqual({ before: 104, peak: 300, after: 200 });
    const readings = [10_700, 13_000].map((at) => ({ at, ms: 1, status: 200 }));
    const { sending, waiting } = readingsByStep({ uploading: { ...phaseOf(1), readings }, uploads });
    expect([sending, waiting].map((some) => some.map(({ at }) => at))).toEqual([[10_700], [13_000]]);
  });
});

describe('what the system tells', () => {
  it('has the work of this process and leaves it out of that of others', () => {
    if (process.platform !== 'linux') return;
    const [machine, own] = [machineMs(), processCpuMs(process.pid)];
    const until = Date.now() + 300;
    while (Date.now() < until) JSON.stringify(process.versions);
    const [worked, after] = [processCpuMs(process.pid) - own, machineMs()];
    expect(worked).toBeGreaterThan(0);
    expect(after.busy - machine.busy - (after.others - machine.others)).toBeGreaterThanOrEqual(worked);
    expect(mostResidentMb(process.pid)).toBeGreaterThan(10);
    expect(processCpuMs(2 ** 30)).toBeNaN();
  });
});

it('makes a photograph of a size', async () => {
  const size = { width: 800, height: 600 };
  const { jpeg } = await makePhotograph(200_000, size);
  expect(Math.abs(jpeg.length / 200_000 - 1)).toBeLessThan(0.02);
  expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', ...size });
  await expect(makePhotograph(2_000_000, size)).rejects.toThrow('800 by 600 pixels');
});

describe('against a server', () => {
  let server: Server;
  let address: string;
  let answer: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => answer(request, response, Buffer.concat(parts)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it('a browser sends a picture as the page does, and comes again when it is sent away', async () => {
    const picture = Buffer.from(Array.from({ length: 600_000 }, (_, index) => index % 251));
    const [got, cookies]: [Buffer[], (string | undefined)[]] = [[], []];
    let sentAway = false;
    answer = (request, response, body) => {
      const received = () => Buffer.concat(got).length;
      const tell = (status: number, told: object) =>
        response.writeHead(status, { 'set-cookie': 'secret=1; Path=/', 'retry-after': '1' }).end(JSON.stringify(told));
      cookies.push(request.headers.cookie);
      if (request.url === '/page/session') return tell(200, {});
      if (request.url === '/page/captures/selfie') return tell(201, { uploadId: 'one' });
      if (request.method === 'GET') return tell(200, { received: received() });
      if (received() > 0 && !sentAway) return ((sentAway = true), tell(503, {}));
      expect(request.headers['upload-offset']).toBe(String(received()));
      got.push(body);
      return tell(200, { received: received(), done: received() === picture.length });
    };
    const upload = await new PersonsBrowser(`${address}/page`).upload('selfie', picture);
    expect(got.map(({ length }) => length)).toEqual([262_144, 262_144, 75_712]);
    expect(Buffer.concat(got).equals(picture)).toBe(true);
    expect(cookies.slice(1).every((cookie) => cookie === 'secret=1')).toBe(true);
    expect(upload.sentAway).toBe(1);
    expect(upload.doneAt).toBeGreaterThanOrEqual(upload.lastChunkAt);
  });

  it('another process reads so many times, or during some work, and tells what was not answered', async () => {
    let status = 200;
    const keys = new Set<string | undefined>();
    answer = (request, response) => {
      keys.add(request.headers.authorization);
      response.writeHead(status).end('{}');
    };
    const reader = new TransactionReader(`${address}/v1/transaction/1`, 'token');
    try {
      const readings = await reader.readTimes(3);
      expect(readings.map((one) => one.status)).toEqual([200, 200, 200]);
      status = 503;
      const during = await reader.readDuring(async () => 'done');
      expect(during.result).toBe('done');
      expect(during.readings.every((one) => one.status === 503)).toBe(true);
      await expect(reader.readDuring(() => Promise.reject(new Error('It broke.')))).rejects.toThrow('It broke.');
      expect(await reader.readTimes(2)).toHaveLength(2);
      expect([...keys]).toEqual(['Bearer token']);
    } finally {
      reader.end();
    }
  });
});
