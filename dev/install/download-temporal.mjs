import { randomUUID } from 'node:crypto';
import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const blockBytes = 512;
/** Without a network the address does not answer; longer than this nobody should wait to learn that. */
const answerWithinMs = 20_000;
/** 60 MB on a slow line. */
const downloadWithinMs = 600_000;

/** Takes one file out of a tar archive: headers of 512 bytes, then the content padded to 512. */
function extract(archive, wanted) {
  let offset = 0;
  while (offset + blockBytes <= archive.length) {
    const header = archive.subarray(offset, offset + blockBytes);
    const name = header.subarray(0, 100).toString('utf8').replace(/\0.*$/s, '');
    const size = Number.parseInt(header.subarray(124, 136).toString('utf8'), 8) || 0;
    const content = offset + blockBytes;
    if (name.replace(/^\.\//, '') === wanted) return archive.subarray(content, content + size);
    offset = content + Math.ceil(size / blockBytes) * blockBytes;
  }
  return undefined;
}

async function fetchOk(address, timeoutMs) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer;
}

/**
 * Downloads `cli` or `temporal-test-server` as the Temporal SDK's testing package does, for that SDK version, to `file`.
 * Answers false when it cannot be had from there; nothing half written is left.
 */
export async function downloadTemporal(artifact, sdkVersion, file, source = 'https://temporal.download') {
  const query = new URLSearchParams({
    arch: process.arch === 'arm64' ? 'arm64' : 'amd64',
    platform: { win32: 'windows', darwin: 'darwin' }[process.platform] ?? 'linux',
    format: 'tar.gz',
    'sdk-name': 'sdk-typescript',
    'sdk-version': sdkVersion,
  });
  try {
    const { archiveUrl, fileToExtract } = await (
      await fetchOk(`${source}/${artifact}/default?${query}`, answerWithinMs)
    ).json();
    const archive = await (await fetchOk(archiveUrl, downloadWithinMs)).arrayBuffer();
    const content = extract(gunzipSync(Buffer.from(archive)), fileToExtract);
    if (!content) return false;
    const partial = `${file}.${randomUUID()}`;
    writeFileSync(partial, content);
    chmodSync(partial, 0o755);
    renameSync(partial, file);
    return true;
  } catch {
    return false;
  }
}
