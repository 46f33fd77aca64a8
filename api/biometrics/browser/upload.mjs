import { requestWithRetry, requestOnce, startUpload, RequestInterrupted, readSession } from './link-api.mjs';

/** The server waits 10 s for a chunk. The size adapts to the connection: halved after a failure, doubled after a fast chunk. */
const [chunkBytesFirst, chunkBytesMin] = [128 * 1_024, 16 * 1_024];
const fastChunkMs = 1_000;
/** After this many lost uploads, the page shows an error. */
const uploadsMax = 4;

/**
 * Sends a picture. Resolves to {} if the API accepted it, or to { issue } if the API rejected it. After a failure it sends only
 * the missing bytes. `onProgress` gets a share from 0 to 1.
 */
export async function upload(kind, picture, onProgress) {
  const { captures } = await readSession();
  for (let uploads = 0; uploads < uploadsMax; uploads += 1) {
    const { status, answer } = await startUpload(kind, picture.size);
    if (status === 422) return { issue: answer.reason ?? 'unreadable' };
    if (status === 413) return { issue: 'too_large' };
    if (status !== 201) throw new Error(`POST of the upload returned ${status} ${answer.code ?? ''}`);
    const result = await sendChunks(`/captures/${kind}/${answer.uploadId}`, picture, answer.chunkBytesMax, onProgress);
    if (result !== 'gone') return result;
    // If only the response to the last chunk was lost, the picture is already saved.
    if (!captures[kind] && (await readSession()).captures[kind]) return {};
  }
  throw new Error(`The server lost the upload ${uploadsMax} times.`);
}

async function sendChunks(path, picture, chunkBytesMax, onProgress) {
  let received = 0;
  let chunkBytes = Math.min(chunkBytesFirst, chunkBytesMax);
  for (;;) {
    onProgress(received / picture.size);
    const end = Math.min(picture.size, received + chunkBytes);
    const startedMs = performance.now();
    const result = await sendChunk(path, received, picture.slice(received, end));
    const isFast = performance.now() - startedMs < fastChunkMs;
    if (result !== 'interrupted' && isFast) chunkBytes = Math.min(chunkBytes * 2, chunkBytesMax);
    if (result === 'interrupted') {
      chunkBytes = Math.min(Math.max(chunkBytes / 2, chunkBytesMin), chunkBytesMax);
      const { status, answer } = await requestWithRetry(path);
      if (status === 404) return 'gone';
      if (status !== 200) throw new Error(`GET of the upload returned ${status}`);
      received = answer.received;
      continue;
    }
    const { status, answer } = result;
    if (status === 404) return 'gone';
    if (status === 422) return { issue: answer.reason ?? 'unreadable' };
    if (status === 413) return { issue: 'too_large' };
    if (status !== 200 && status !== 409) throw new Error(`POST of a chunk returned ${status} ${answer.code ?? ''}`);
    received = answer.received;
    if (answer.done) return {};
  }
}

async function sendChunk(path, offset, body) {
  const headers = { 'Content-Type': 'application/octet-stream', 'Upload-Offset': String(offset) };
  try {
    return await requestOnce(path, { method: 'POST', headers, body });
  } catch (error) {
    if (error instanceof RequestInterrupted) return 'interrupted';
    throw error;
  }
}
