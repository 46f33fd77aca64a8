/**
 * Reads a body. `bytesMax` applies to the decompressed body, because `fetch` decompresses. If the body is longer, returns undefined and
 * closes the connection.
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
