/**
 * Reads the body of a response. If the body is longer than `bytesMax`, returns undefined and closes the connection. `bytesMax` is the size
 * after decompression, because `fetch` decompresses bodies.
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
