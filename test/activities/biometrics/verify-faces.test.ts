import pino from 'pino';
import { Writable } from 'node:stream';
import {
  createFaceVerification,
  type FaceDependencies,
  type FacePair,
  FaceVerifierError,
  openFaceVerifier,
} from '../../../activities/biometrics/verify-faces';
import type { FaceFindings } from '../../../domain/biometrics/biometrics';
import type { AuditEntry } from '../../../platform/audit';
import { BrokenSealError } from '../../../platform/keys/seal';

const imagesToVerify = { tenant: 'acme', transactionId: 'transaction-1', selfie: 'image-1', documentFront: 'image-2' };
const findings: FaceFindings = { similarity: 0.9, liveness: 0.9, selfieFaces: 1, documentFaces: 1, notes: [] };

/** `stored`: the images of the transaction that are in the store. */
function createWorld({ stored = ['image-1', 'image-2'], verify = async (): Promise<FaceFindings> => findings } = {}) {
  const logLines: string[] = [];
  const logger = pino(new Writable({ write: (chunk: Buffer, _, done) => done(void logLines.push(chunk.toString())) }));
  const sentPairs: FacePair[] = [];
  const images: FaceDependencies['images'] = {
    read: async ({ tenant, owner, id }) =>
      tenant === 'acme' && owner === 'transaction-1' && stored.includes(id) ? Buffer.from(id) : undefined,
  };
  const faceVerifier: FaceDependencies['faceVerifier'] = {
    verify: (pair) => {
      sentPairs.push(pair);
      return verify();
    },
  };
  const auditEntries: AuditEntry[] = [];
  const audit = async (entry: AuditEntry) => void auditEntries.push(entry);
  return { logLines, sentPairs, auditEntries, dependencies: { audit, images, faceVerifier, logger } };
}

function createSignal() {
  let fulfill = (): void => undefined;
  const fulfilled = new Promise<void>((resolve) => (fulfill = resolve));
  return { fulfilled, fulfill: () => fulfill() };
}

it('a verification sends the images of its transaction and returns the findings', async () => {
  const { dependencies, sentPairs, logLines, auditEntries } = createWorld();
  const verifyFaces = createFaceVerification(dependencies);
  expect(await verifyFaces(imagesToVerify)).toEqual(findings);
  expect(sentPairs).toEqual([{ selfie: Buffer.from('image-1'), documentFront: Buffer.from('image-2') }]);
  const detail = { images: ['image-1', 'image-2'] };
  const entry = { tenant: 'acme', owner: 'transaction-1', actor: 'face-verifier', action: 'images_sent', detail };
  expect([logLines, auditEntries]).toEqual([[], [entry]]);
});

it('a verification sends nothing before the audit entry is written', async () => {
  const { dependencies, sentPairs } = createWorld();
  const [auditStarted, auditWritten] = [createSignal(), createSignal()];
  const audit = () => {
    auditStarted.fulfill();
    return auditWritten.fulfilled;
  };
  const findingsPromise = createFaceVerification({ ...dependencies, audit })(imagesToVerify);
  await auditStarted.fulfilled;
  await new Promise((resolve) => setImmediate(resolve));
  expect(sentPairs).toEqual([]);
  auditWritten.fulfill();
  expect([await findingsPromise, sentPairs.length]).toEqual([findings, 1]);
});

it('a verification sends nothing if the audit entry cannot be written, and is retried', async () => {
  const { dependencies, sentPairs, logLines } = createWorld();
  const audit = () => Promise.reject(new Error('Postgres is not available.'));
  await expect(createFaceVerification({ ...dependencies, audit })(imagesToVerify)).rejects.toThrow(
    'Postgres is not available',
  );
  expect([sentPairs, logLines]).toEqual([[], []]);
});

it.each([
  ['if the selfie is not stored', ['image-2'], imagesToVerify],
  ['if the document is not stored', ['image-1'], imagesToVerify],
  ['if the images belong to another transaction', undefined, { ...imagesToVerify, transactionId: 'transaction-2' }],
  ['if the images belong to another tenant', undefined, { ...imagesToVerify, tenant: 'other' }],
])('a verification sends nothing %s', async (_, stored, incompleteImages) => {
  const { dependencies, sentPairs, auditEntries } = createWorld({ ...(stored ? { stored } : {}) });
  expect(await createFaceVerification(dependencies)(incompleteImages)).toBeNull();
  expect([sentPairs, auditEntries]).toEqual([[], []]);
});

it('a verification reads no image if no face verifier is configured', async () => {
  const { faceVerifier: _, ...dependencies } = createWorld().dependencies;
  const read = () => Promise.reject(new Error('No image may be read.'));
  expect(await createFaceVerification({ ...dependencies, images: { read } })(imagesToVerify)).toBeNull();
});

const levels = { warn: 40, error: 50 };

it.each(['refused', 'redirect', 'invalid', 'size'] as const)(
  'a verification leaves the decision to the reviewer after the error "%s"',
  async (reason) => {
    const { dependencies, logLines } = createWorld({ verify: () => Promise.reject(new FaceVerifierError(reason)) });
    expect(await createFaceVerification(dependencies)(imagesToVerify)).toBeNull();
    expect(logLines.map((line) => JSON.parse(line) as object)).toEqual([
      {
        level: levels.warn,
        time: expect.any(Number) as number,
        pid: expect.any(Number) as number,
        hostname: expect.any(String) as string,
        transactionId: 'transaction-1',
        reason,
        msg: 'the face verifier returned no findings',
      },
    ]);
  },
);

it.each(['timeout', 'unreachable', 'busy', 'failing'] as const)(
  'a verification is retried after the error "%s"',
  async (reason) => {
    const { dependencies, logLines } = createWorld({ verify: () => Promise.reject(new FaceVerifierError(reason)) });
    const failure = createFaceVerification(dependencies)(imagesToVerify);
    await expect(failure).rejects.toThrow(`The face verifier gave no findings: ${reason}.`);
    await expect(failure).rejects.not.toHaveProperty('nonRetryable');
    expect(logLines).toEqual([]);
  },
);

it('a verification is retried during an outage of the store', async () => {
  const { dependencies } = createWorld();
  const read = () => Promise.reject(new Error('The store is not available.'));
  await expect(createFaceVerification({ ...dependencies, images: { read } })(imagesToVerify)).rejects.toThrow(
    'The store is not available',
  );
});

it('a verification does not send a changed image, and logs the change', async () => {
  const { dependencies, sentPairs, logLines } = createWorld();
  const read = () => Promise.reject(new BrokenSealError('This image was never sealed.'));
  expect(await createFaceVerification({ ...dependencies, images: { read } })(imagesToVerify)).toBeNull();
  expect(sentPairs).toEqual([]);
  expect(logLines.map((line) => JSON.parse(line) as object)).toMatchObject([
    {
      level: levels.error,
      transactionId: 'transaction-1',
      msg: 'a stored image was changed; the face verifier was not asked',
    },
  ]);
});

describe('the settings of the face verifier', () => {
  const openVerifier = (url?: string) => {
    const { dependencies, logLines } = createWorld();
    const settings = { FACE_VERIFIER_URL: url, FACE_VERIFIER_TOKEN: undefined, FACE_VERIFIER_TIMEOUT_MS: 1_000 };
    return { verifier: openFaceVerifier(settings, dependencies.logger), logLines };
  };

  it('settings without a URL open no face verifier, and the worker logs this', () => {
    const { verifier, logLines } = openVerifier();
    expect(verifier).toEqual({});
    expect(logLines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'no face verifier is configured; reviewers decide without its findings',
    ]);
  });

  it('settings with a URL open a face verifier', () => {
    const { verifier, logLines } = openVerifier('http://127.0.0.1:9/faces');
    expect(verifier.faceVerifier).toBeDefined();
    expect(logLines).toEqual([]);
  });
});
