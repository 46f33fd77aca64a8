import { ask, askOnce, beginUpload, Interrupted, readSession } from './link-api.mjs';

/**
 * Bytes of a chunk: the server waits 10 s for one. What a slow connection manages in that time is found by trying, from
 * a size that loses little when it breaks: halved when it did, doubled when a chunk was quick.
 */
const [chunkBytesFirst, chunkBytesLeast] = [128 * 1_024, 16 * 1_024];
const quickMs = 1_000;
/** Uploads that the server forgot, until something else must be wrong. */
const beginningsMost = 4;

/**
 * Sends a picture. Resolves to {} when it was accepted, to { fault } when the API refused the picture. After a broken
 * connection it asks how much arrived and sends only the rest. `onProgress` gets a share from 0 to 1.
 */
export async function upload(kind, picture, onProgress) {
  const { captures } = await readSession();
  for (let beginning = 0; beginning < beginningsMost; beginning += 1) {
    const { status, answer } = await beginUpload(kind, picture.size);
    if (status === 422) return { fault: answer.reason ?? 'unreadable' };
    if (status === 413) return { fault: 'too_large' };
    if (status !== 201) throw new Error(`The upload was answered ${status} ${answer.code ?? ''}`);
    const end = await sendAll(`/captures/${kind}/${answer.uploadId}`, picture, answer.chunkBytesMax, onProgress);
    if (end !== 'gone') return end;
    // The answer to the last chunk may have been lost; a picture that is there need not be sent again.
    if (!captures[kind] && (await readSession()).captures[kind]) return {};
  }
  throw new Error('The upload was lost again and again.');
}

async function sendAll(path, picture, chunkBytesMax, onProgress) {
  let received = 0;
  let chunkBytes = Math.min(chunkBytesFirst, chunkBytesMax);
  for (;;) {
    onProgress(received / picture.size);
    const end = Math.min(picture.size, received + chunkBytes);
    const begunMs = performance.now();
    const result = await sendChunk(path, received, picture.slice(received, end));
    const quick = performance.now() - begunMs < quickMs;
    if (result !== 'interrupted' && quick) chunkBytes = Math.min(chunkBytes * 2, chunkBytesMax);
    if (result === 'interrupted') {
      chunkBytes = Math.min(Math.max(chunkBytes / 2, chunkBytesLeast), chunkBytesMax);
      const { status, answer } = await ask(path);
      if (status === 404) return 'gone';
      if (status !== 200) throw new Error(`The upload was answered ${status}`);
      received = answer.received;
      continue;
    }
    const { status, answer } = result;
    if (status === 404) return 'gone';
    if (status === 422) return { fault: answer.reason ?? 'unreadable' };
    if (status === 413) return { fault: 'too_large' };
    if (status !== 200 && status !== 409) throw new Error(`A chunk was answered ${status} ${answer.code ?? ''}`);
    received = answer.received;
    if (answer.done) return {};
  }
}

async function sendChunk(path, offset, body) {
  const headers = { 'Content-Type': 'application/octet-stream', 'Upload-Offset': String(offset) };
  try {
    return await askOnce(path, { method: 'POST', headers, body });
  } catch (error) {
    if (error instanceof Interrupted) return 'interrupted';
    throw error;
  }
}
