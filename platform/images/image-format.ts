const pngMagic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegMagic = Buffer.from([0xff, 0xd8, 0xff]);

/** The format of an image, by its first bytes. Undefined for other formats. File name and media type do not count: senders choose them. */
export function formatOf(bytes: Buffer): 'jpeg' | 'png' | undefined {
  if (bytes.subarray(0, jpegMagic.length).equals(jpegMagic)) return 'jpeg';
  return bytes.subarray(0, pngMagic.length).equals(pngMagic) ? 'png' : undefined;
}

/** A chunk of a PNG has its length and type before the data, and a checksum after the data. */
const chunkHeadBytes = 8;
const chunkOverheadBytes = 12;

/**
 * Whether a PNG is animated (it has an acTL chunk before the first image data). Animated files are rejected: many decoders show only the
 * first picture, so other pictures could be hidden.
 */
export function isAnimatedPng(png: Buffer): boolean {
  for (let offset = pngMagic.length; offset + chunkHeadBytes <= png.length; ) {
    const type = png.toString('latin1', offset + 4, offset + chunkHeadBytes);
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
    offset += chunkOverheadBytes + png.readUInt32BE(offset);
  }
  return false;
}
