import type * as Sdk from '@aws-sdk/client-s3';
import { checkKey, type ImageStore } from './image-store';

/** A bucket at any address that speaks S3. */
export interface S3Settings {
  /** Unset: Amazon's own for the region. Set: scheme, host and port; the bucket is then a part of the path. */
  endpoint?: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Within one region a connection takes milliseconds; one that takes 2 s is not coming. */
const connectionTimeoutMs = 2_000;
/**
 * For one object with all repeats and the last byte of its body. Our largest take a second over a slow network, and
 * whoever erases images in the background is started anew after 30 s.
 */
const objectTimeoutMs = 15_000;
/** What we put is at most some 15 MB: anything longer is not ours, and is not read into memory. */
const objectBytesMax = 32 * 1024 * 1024;

const isMissing = (error: unknown) =>
  error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound');

/** Images as objects in a bucket. The SDK is loaded with the first use: it is large, and most installations have files. */
export function createS3Store(
  { endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Settings,
  timeoutMs = objectTimeoutMs,
): ImageStore {
  let opened: Promise<{ sdk: typeof Sdk; client: Sdk.S3Client }> | undefined;

  async function openClient() {
    const sdk = await import('@aws-sdk/client-s3');
    const client = new sdk.S3Client({
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      region,
      credentials: { accessKeyId, secretAccessKey },
      requestHandler: { connectionTimeout: connectionTimeoutMs },
      // Other makers' stores know only what S3 itself demands; our seal tells of every changed bit.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    return { sdk, client };
  }
  const open = () => (opened ??= openClient());
  // The SDK's own limit holds for one request until its answer begins, and by itself it only warns.
  const limit = () => ({ abortSignal: AbortSignal.timeout(timeoutMs) });

  return {
    async put(key, bytes) {
      const object = { Bucket: bucket, Key: checkKey(key), Body: bytes, ContentType: 'application/octet-stream' };
      const { sdk, client } = await open();
      await client.send(new sdk.PutObjectCommand(object), limit());
    },
    async get(key) {
      const object = { Bucket: bucket, Key: checkKey(key) };
      const { sdk, client } = await open();
      try {
        const { Body, ContentLength = 0 } = await client.send(new sdk.GetObjectCommand(object), limit());
        if (ContentLength > objectBytesMax) throw new RangeError('The object is too long to be an image of ours.');
        return Body && Buffer.from(await Body.transformToByteArray());
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async remove(key) {
      const object = { Bucket: bucket, Key: checkKey(key) };
      const { sdk, client } = await open();
      await client.send(new sdk.DeleteObjectCommand(object), limit());
    },
  };
}
