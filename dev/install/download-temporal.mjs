import { chmodSync, createWriteStream, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runProgram } from './run-program.mjs';

/** Fails early when there is no network. */
const answerWithinMs = 20_000;
/** 60 MB on a slow line. */
const downloadWithinMs = 600_000;

async function fetchOk(address, timeoutMs) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer;
}

/**
 * Downloads `cli` or `temporal-test-server` to `file`, from the same source as the testing package of the Temporal SDK.
 * Returns false on failure and leaves no partial file.
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
    // No npm package is installed yet. Linux, macOS and Windows 10 have tar.
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
