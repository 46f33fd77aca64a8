/** One line of a file; numbers start at 1. `bytes` is absent when the line is too long. */
export interface Line {
  number: number;
  bytes?: Buffer;
}

const lineFeed = 0x0a;

/**
 * The lines of a byte stream, without line feeds. Holds at most `bytesMax` of a line, so that a file without line feeds does not
 * fill the memory.
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
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      append(chunk.subarray(from, at));
      from = at + 1;
      yield takeLine();
    }
    append(chunk.subarray(from));
  }
  if (size > 0) yield takeLine();
}
