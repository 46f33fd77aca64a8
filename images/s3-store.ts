import path from 'node:path';
import type * as Sdk from '@aws-sdk/client-s3';
import type { ImagesConfig } from '../platform/config';
import { checkKey, createFilesStore, type ImageStore } from './object-stores';

/** Opens the image store: the bucket of the settings, or files if no bucket is set. It connects on first use. */
export function openImageStore(config: ImagesConfig): ImageStore {
  const { IMAGES_S3_BUCKET: bucket, IMAGES_S3_ENDPOINT: endpoint, IMAGES_S3_REGION: region } = config;
  const { IMAGES_S3_ACCESS_KEY_ID: accessKeyId = '', IMAGES_S3_SECRET_ACCESS_KEY: secretAccessKey = '' } = config;
  if (bucket === undefined) return createFilesStore(path.resolve(config.IMAGES_DIR));
  return createS3Store({ bucket, ...(endpoint !== undefined && { endpoint }), region, accessKeyId, secretAccessKey });
}

/** The settings of a bucket in any S3-compatible store. */
export interface S3Settings {
  /** Scheme, host and port of the store. If set, the path of requests begins with the bucket. Default: Amazon's address of the region. */
  endpoint?: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Timeout of a connection. Within one region, a connection takes milliseconds. */
const connectionTimeoutMs = 2_000;
/**
 * Timeout for one object, with all retries and its whole body. The largest objects take a second over a slow network. The timeout must be
 * shorter than the 30 s of the activity that erases images.
 */
const objectTimeoutMs = 15_000;
/** Our objects have at most about 15 MB. A longer object is not ours, and must not fill the memory. */
const objectBytesMax = 32 * 1024 * 1024;

const isMissing = (error: unknown) =>
  error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound');

/** Stores images as objects in a bucket. Loads the SDK on first use, because it is large and most installations use files. */
export function createS3Store(
  { endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Settings,
  timeoutMs = objectTimeoutMs,
): ImageStore {
  let clientPromise: Promise<{ sdk: typeof Sdk; client: Sdk.S3Client }> | undefined;

  async function openClient() {
    const sdk = await import('@aws-sdk/client-s3');
    const client = new sdk.S3Client({
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      region,
      credentials: { accessKeyId, secretAccessKey },
      requestHandler: { connectionTimeout: connectionTimeoutMs },
      // Some compatible stores do not support optional checksums. They are not needed, because every changed bit makes the decryption fail.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    return { sdk, client };
  }
  const getClient = () => (clientPromise ??= openClient());
  // The SDK's own timeout covers only the time until the response starts.
  const timeoutOptions = () => ({ abortSignal: AbortSignal.timeout(timeoutMs) });

  return {
    async put(key, bytes) {
      const object = { Bucket: bucket, Key: checkKey(key), Body: bytes, ContentType: 'application/octet-stream' };
      const { sdk, client } = await getClient();
      await client.send(new sdk.PutObjectCommand(object), timeoutOptions());
    },
    async get(key) {
      const object = { Bucket: bucket, Key: checkKey(key) };
      const { sdk, client } = await getClient();
      try {
        const { Body, ContentLength = 0 } = await client.send(new sdk.GetObjectCommand(object), timeoutOptions());
        if (ContentLength > objectBytesMax)
          throw new RangeError('The object in the bucket is too large to be an image of this service.');
        return Body && Buffer.from(await Body.transformToByteArray());
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async remove(key) {
      const object = { Bucket: bucket, Key: checkKey(key) };
      const { sdk, client } = await getClient();
      await client.send(new sdk.DeleteObjectCommand(object), timeoutOptions());
    },
    async *list(folder) {
      const { sdk, client } = await getClient();
      for (let token: string | undefined; ; ) {
        const page = { Bucket: bucket, Prefix: `${checkKey(folder)}/`, ...(token && { ContinuationToken: token }) };
        const answer = await client.send(new sdk.ListObjectsV2Command(page), timeoutOptions());
        for (const { Key } of answer.Contents ?? []) if (Key !== undefined) yield Key;
        token = answer.NextContinuationToken;
        if (!token) return;
      }
    },
  };
}
