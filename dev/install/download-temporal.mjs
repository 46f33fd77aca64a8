import { chmodSync, createWriteStream, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runProgram } from './run-program.mjs';

/** Without a network the address does not answer; nobody should wait longer to learn that. */
const answerWithinMs = 20_000;
/** 60 MB on a slow line. */
const downloadWithinMs = 600_000;

async function fetchOk(address, timeoutMs) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer;
}

/**
 * Downloads `cli` or `temporal-test-server` as the Temporal SDK's testing package does, for that SDK version, to `file`.
 * Returns false when that is not possible; nothing half written is left.
 */
export async function downloadTemporal(artifact, sdkVersion, file, source = 'https://temporal.download') {
  const query = new URLSearchParams({
    arch: process.arch === 'arm64' ? 'arm64' : 'amd64',
    platform: { win32: 'windows', darwin: 'darwin' }[process.platform] ?? 'linux',
    format: 'tar.gz',
    'sdk-name': 'sdk-typescript',
    'sdk-version': sdkVersion,
  });
  const partial = mkdtempSync(`${file}-`);
  try {
    const offer = await fetchOk(`${source}/${artifact}/default?${query}`, answerWithinMs);
    const { archiveUrl, fileToExtract } = await offer.json();
    const archive = await fetchOk(archiveUrl, downloadWithinMs);
    await pipeline(archive.body, createWriteStream(join(partial, 'archive.tar.gz')));
    // Runs before npm packages exist. Linux, macOS and Windows 10 have a tar of their own.
    const { code } = await runProgram('tar', ['-xzf', 'archive.tar.gz', fileToExtract], { cwd: partial });
    if (code !== 0) return false;
    chmodSync(join(partial, fileToExtract), 0o755);
    renameSync(join(partial, fileToExtract), file);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}
