import { chmodSync, createWriteStream, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runProgram } from './run-program.mjs';

/** Timeout of the first request. It is short, so that the download fails early without a network. */
const responseTimeoutMs = 20_000;
/** Timeout of the download: enough for 60 MB on a slow connection. */
const downloadTimeoutMs = 600_000;

async function fetchOk(address, timeoutMs) {
  const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return response;
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
  const temporaryFolder = mkdtempSync(`${file}-`);
  try {
    const metadataResponse = await fetchOk(`${source}/${artifact}/default?${query}`, responseTimeoutMs);
    const { archiveUrl, fileToExtract } = await metadataResponse.json();
    const archiveResponse = await fetchOk(archiveUrl, downloadTimeoutMs);
    await pipeline(archiveResponse.body, createWriteStream(join(temporaryFolder, 'archive.tar.gz')));
    // The npm packages may not be installed yet, so the program `tar` extracts the file. Linux, macOS and Windows 10 have this program.
    const { code } = await runProgram('tar', ['-xzf', 'archive.tar.gz', fileToExtract], { cwd: temporaryFolder });
    if (code !== 0) return false;
    chmodSync(join(temporaryFolder, fileToExtract), 0o755);
    renameSync(join(temporaryFolder, fileToExtract), file);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true });
  }
}
