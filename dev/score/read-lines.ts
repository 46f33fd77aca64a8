/** One line of a file; numbers start at 1. `bytes` is absent when the line is too long. */
export interface Line {
  number: number;
  bytes?: Buffer;
}

const lineFeed = 0x0a;

/**
 * The lines of a byte stream, without line feeds. A line with more than `bytesMax` bytes is not kept, so that it does not fill the memory.
 */
export async function* readLines(source: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Line> {
  let number = 1;
  let chunks: Buffer[] = [];
  let size = 0;
  const append = (chunkPart: Buffer) => {
    size += chunkPart.length;
    chunks = size > bytesMax ? [] : [...chunks, chunkPart];
  };
  const takeLine = (): Line => {
    const line = size > bytesMax ? { number } : { number, bytes: Buffer.concat(chunks) };
    number += 1;
    chunks = [];
    size = 0;
    return line;
  };
  for await (const chunk of source) {
    let lineStart = 0;
    for (let lineEnd = chunk.indexOf(lineFeed); lineEnd >= 0; lineEnd = chunk.indexOf(lineFeed, lineStart)) {
      append(chunk.subarray(lineStart, lineEnd));
      lineStart = lineEnd + 1;
      yield takeLine();
    }
    append(chunk.subarray(lineStart));
  }
  if (size > 0) yield takeLine();
}
