/** One line of a file, counted from 1. Without bytes when it is longer than allowed. */
export interface Line {
  number: number;
  bytes?: Buffer;
}

const lineFeed = 0x0a;

/**
 * The lines of a stream of bytes, without their line feeds. Never holds more of a line than `bytesMax`, so that a file
 * that is no list of lines does not fill the memory.
 */
export async function* readLines(source: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Line> {
  let number = 1;
  let held: Buffer[] = [];
  let size = 0;
  const hold = (part: Buffer) => {
    size += part.length;
    held = size > bytesMax ? [] : [...held, part];
  };
  const end = (): Line => {
    const line = size > bytesMax ? { number } : { number, bytes: Buffer.concat(held) };
    number += 1;
    held = [];
    size = 0;
    return line;
  };
  for await (const chunk of source) {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      hold(chunk.subarray(from, at));
      from = at + 1;
      yield end();
    }
    hold(chunk.subarray(from));
  }
  if (size > 0) yield end();
}
