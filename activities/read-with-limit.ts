/**
 * Reads a body as it arrives here: from `fetch`, it is already decompressed. Returns undefined and closes the connection if the body is longer than
 * `bytesMax`.
 */
export async function readWithLimit(
  body: AsyncIterable<Uint8Array> | null,
  bytesMax: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
