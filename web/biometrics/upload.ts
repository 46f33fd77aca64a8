import type { CaptureKind } from './captures';
import { RequestInterrupted } from './errors';
import { readLinkState, startUpload } from './link-api';
import { type Answer, requestOnce, requestWithRetry } from './request';
import type { ImageIssue } from './texts/texts';

/**
 * The first and the smallest size of a chunk. The server waits at most 10 s for a chunk. So the page halves the size after a failure, and
 * doubles it after a fast chunk.
 */
const [chunkBytesFirst, chunkBytesMin] = [128 * 1_024, 16 * 1_024] as const;
/** A chunk is fast if its answer arrives within this time. */
const fastChunkMs = 1_000;
/** After the server has lost an upload this many times, the page shows an error. */
const uploadsMax = 4;

/** `issue`: why the API rejected the picture. */
export type UploadResult = { issue?: ImageIssue };

/** Why the API rejected a picture. Undefined if the API did not reject it. */
function rejectionOf({ status, body }: Answer): ImageIssue | undefined {
  if (status === 422) return (body['reason'] as ImageIssue | undefined) ?? 'unreadable';
  return status === 413 ? 'too_large' : undefined;
}

/**
 * Sends a picture. Resolves to {} if the API accepted the picture, or to { issue } if the API rejected it. After a failure, sends only the
 * missing bytes. `onProgress` gets the part of the picture that was sent, from 0 to 1.
 */
export async function upload(
  kind: CaptureKind,
  picture: Blob,
  onProgress: (share: number) => void,
): Promise<UploadResult> {
  const { captures } = await readLinkState();
  for (let uploads = 0; uploads < uploadsMax; uploads += 1) {
    const answer = await startUpload(kind, picture.size);
    const issue = rejectionOf(answer);
    if (issue) return { issue };
    const { uploadId, chunkBytesMax, code } = answer.body;
    if (answer.status !== 201) throw new Error(`POST of the upload returned ${answer.status} ${String(code)}`);
    const path = `/captures/${kind}/${String(uploadId)}`;
    const result = await sendChunks(path, picture, Number(chunkBytesMax), onProgress);
    if (result !== 'gone') return result;
    // The upload may also be gone because it is complete, and only the response to the last chunk was lost. Then the API has saved the
    // picture.
    if (!captures[kind] && (await readLinkState()).captures[kind]) return {};
  }
  throw new Error(`The server lost the upload ${uploadsMax} times.`);
}

/** Sends all chunks of a picture. Resolves to 'gone' if the server has lost the upload. */
async function sendChunks(
  path: string,
  picture: Blob,
  chunkBytesMax: number,
  onProgress: (share: number) => void,
): Promise<UploadResult | 'gone'> {
  let received = 0;
  let chunkBytes = Math.min(chunkBytesFirst, chunkBytesMax);
  for (;;) {
    onProgress(received / picture.size);
    const end = Math.min(picture.size, received + chunkBytes);
    const startedMs = performance.now();
    const answer = await sendChunk(path, received, picture.slice(received, end));
    if (answer === 'interrupted') {
      chunkBytes = Math.min(Math.max(chunkBytes / 2, chunkBytesMin), chunkBytesMax);
      const progress = await requestWithRetry(path);
      if (progress.status === 404) return 'gone';
      if (progress.status !== 200) throw new Error(`GET of the upload returned ${progress.status}`);
      received = Number(progress.body['received']);
      continue;
    }
    if (performance.now() - startedMs < fastChunkMs) chunkBytes = Math.min(chunkBytes * 2, chunkBytesMax);
    const { status, body } = answer;
    if (status === 404) return 'gone';
    const issue = rejectionOf(answer);
    if (issue) return { issue };
    // 409: the server expects another offset. Its answer has this offset in `received`.
    if (status !== 200 && status !== 409) throw new Error(`POST of a chunk returned ${status} ${String(body['code'])}`);
    received = Number(body['received']);
    if (body['done']) return {};
  }
}

/** Sends one chunk. `offset`: how many bytes of the picture are before the chunk. */
async function sendChunk(path: string, offset: number, body: Blob): Promise<Answer | 'interrupted'> {
  const headers = { 'Content-Type': 'application/octet-stream', 'Upload-Offset': String(offset) };
  try {
    return await requestOnce(path, { method: 'POST', headers, body });
  } catch (error) {
    if (error instanceof RequestInterrupted) return 'interrupted';
    throw error;
  }
}
