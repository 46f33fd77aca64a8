import path from 'node:path';
import type { ImagesConfig } from '../config';
import { createFilesStore } from './files-store';
import type { ImageStore } from './image-store';
import { createS3Store } from './s3-store';

/** Opens the image store: the bucket of the settings, or files if no bucket is set. It connects on first use. */
export function openImageStore(config: ImagesConfig): ImageStore {
  const { IMAGES_S3_BUCKET: bucket, IMAGES_S3_ENDPOINT: endpoint, IMAGES_S3_REGION: region } = config;
  const { IMAGES_S3_ACCESS_KEY_ID: accessKeyId = '', IMAGES_S3_SECRET_ACCESS_KEY: secretAccessKey = '' } = config;
  if (bucket === undefined) return createFilesStore(path.resolve(config.IMAGES_DIR));
  return createS3Store({ bucket, ...(endpoint !== undefined && { endpoint }), region, accessKeyId, secretAccessKey });
}
