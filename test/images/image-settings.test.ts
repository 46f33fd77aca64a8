import path from 'node:path';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { findFreePort } from '../../dev/stack/free-port';
import { ConfigurationError, readApiConfig, readWorkerConfig } from '../../platform/config';
import { openImageStore } from '../../images/s3-store';

const parentFolder = mkdtempSync(path.join(tmpdir(), 'countersign-store-'));
afterAll(() => rmSync(parentFolder, { recursive: true }));

const completeSettings = {
  DATABASE_URL: 'postgres://x',
  SERVICE_KEY: Buffer.alloc(32).toString('base64'),
  TWILIO_ACCOUNT_SID: 'AC0',
  TWILIO_AUTH_TOKEN: 'x',
  TWILIO_SMS_FROM: '+15550001111',
  TWILIO_WHATSAPP_FROM: '+15550002222',
  SMTP_URL: 'smtp://127.0.0.1',
};
const keys = { IMAGES_S3_ACCESS_KEY_ID: 'id', IMAGES_S3_SECRET_ACCESS_KEY: 'secret' };

describe.each([
  ['API', readApiConfig],
  ['worker', readWorkerConfig],
] as const)('the image settings of the %s', (_, read) => {
  it('image settings are optional', () => {
    expect(read(completeSettings)).toMatchObject({ IMAGES_DIR: '.data/images', IMAGES_S3_REGION: 'us-east-1' });
  });

  it('a bucket needs both keys, and the error reports everything that is missing', () => {
    expect(read({ ...completeSettings, ...keys, IMAGES_S3_BUCKET: 'images' })).toMatchObject(keys);
    const readIncomplete = () => read({ ...completeSettings, DATABASE_URL: '', IMAGES_S3_BUCKET: 'images' });
    expect(readIncomplete).toThrow(ConfigurationError);
    for (const name of [
      'DATABASE_URL: ',
      ...Object.keys(keys).map((key) => `${key}: is required with IMAGES_S3_BUCKET`),
    ])
      expect(readIncomplete).toThrow(name);
    for (const name of Object.keys(keys))
      expect(() => read({ ...completeSettings, ...keys, IMAGES_S3_BUCKET: 'images', [name]: '' })).toThrow(
        `${name}: is required with IMAGES_S3_BUCKET`,
      );
  });

  it.each(['ftp://s3.example', 's3.example', 'https://me:secret@s3.example'])(
    'the endpoint %s is rejected',
    (endpoint) => {
      expect(() => read({ ...completeSettings, IMAGES_S3_ENDPOINT: endpoint })).toThrow(
        /\n {2}IMAGES_S3_ENDPOINT: (?!.*secret@)/,
      );
    },
  );
});

test.each([
  ['FACE_VERIFIER_URL', 'ftp://faces.example'],
  ['FACE_VERIFIER_URL', 'https://me:secret@faces.example'],
  ['FACE_VERIFIER_TOKEN', 'two words'],
  ['FACE_VERIFIER_TIMEOUT_MS', '999'],
  ['FACE_VERIFIER_TIMEOUT_MS', '60001'],
])('a worker does not start with %s=%s', (name, value) => {
  expect(() => readWorkerConfig({ ...completeSettings, [name]: value })).toThrow(
    new RegExp(`\n  ${name}: (?!.*secret)`),
  );
});

test('without a bucket, images are saved as files; with a bucket, only in the bucket', async () => {
  const [folder, unusedFolder] = [path.join(parentFolder, 'files'), path.join(parentFolder, 'unused')];
  await openImageStore(readWorkerConfig({ ...completeSettings, IMAGES_DIR: folder })).put('a/b', Buffer.from('x'));
  expect(existsSync(path.join(folder, 'a', 'b'))).toBe(true);
  const endpoint = `http://127.0.0.1:${await findFreePort()}`;
  const bucketSettings = {
    ...keys,
    IMAGES_S3_BUCKET: 'images',
    IMAGES_S3_ENDPOINT: endpoint,
    IMAGES_DIR: unusedFolder,
  };
  await expect(
    openImageStore(readApiConfig({ ...completeSettings, ...bucketSettings })).put('a/b', Buffer.from('x')),
  ).rejects.toThrow(/ECONNREFUSED/);
  expect(existsSync(unusedFolder)).toBe(false);
});
