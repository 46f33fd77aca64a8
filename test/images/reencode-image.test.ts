import sharp from 'sharp';
import { createReencoder, type ReencodedImage } from '../../images/reencode-image';
import { noiseImage, plainImage, pngChunk, pngMagic, withRepeatedScan, zeroPng } from './test-images';

const reencoder = createReencoder();

const reencode = (bytes: Buffer) => reencoder.reencode(async () => bytes);

async function reencodeAccepted(bytes: Buffer): Promise<ReencodedImage> {
  const result = await reencode(bytes);
  if ('error' in result) throw new Error(`This image was rejected: ${result.error}`);
  return result;
}

const widthOrError = (result: Awaited<ReturnType<typeof reencoder.reencode>>) =>
  'error' in result ? result.error : result.width;

/** This chunk makes a PNG an animation. */
const animationChunk = pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]));
const manyChunks = Buffer.concat(Array(200_000).fill(pngChunk('tEXt', Buffer.from('a\0b'))));
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>alert(1)</script></svg>';
const gif = 'R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=';

describe('a rejected image', () => {
  test.each<[string, string, () => Buffer | Promise<Buffer>]>([
    ['an empty file', 'not_an_image', () => Buffer.alloc(0)],
    ['SVG', 'not_an_image', () => Buffer.from(svg)],
    ['GIF', 'not_an_image', () => Buffer.from(gif, 'base64')],
    ['WebP', 'not_an_image', () => plainImage(8, 8).webp().toBuffer()],
    ['TIFF', 'not_an_image', () => plainImage(8, 8).tiff().toBuffer()],
    [
      'HTML with a JPEG after it',
      'not_an_image',
      async () => Buffer.concat([Buffer.from('<html>'), await noiseImage(8, 8)]),
    ],
    [
      'a WebP that begins like a PNG',
      'unreadable',
      async () => Buffer.concat([pngMagic, await plainImage(8, 8).webp().toBuffer()]),
    ],
    ['text that begins like a JPEG', 'unreadable', () => Buffer.from('ffd8ff3c3f706870', 'hex')],
    ['half a JPEG', 'unreadable', async () => (await noiseImage(200, 200)).subarray(0, 8_000)],
    [
      'half a PNG',
      'unreadable',
      async () =>
        (
          await sharp(await noiseImage(200, 200))
            .png()
            .toBuffer()
        ).subarray(0, 60_000),
    ],
    ['an animated PNG', 'animated', () => zeroPng({ width: 8, height: 8, chunksBeforeData: animationChunk })],
    [
      'an animated PNG behind other chunks',
      'animated',
      () => zeroPng({ width: 8, height: 8, chunksBeforeData: Buffer.concat([manyChunks, animationChunk]) }),
    ],
    [
      'a PNG of 30000 x 30000 in 110 KB',
      'too_large',
      () => zeroPng({ width: 30_000, height: 30_000, bitsPerSample: 1 }),
    ],
    [
      'a progressive JPEG of 6000 x 4200, whose ten scans have 252 million pixels',
      'too_large',
      () => plainImage(6_000, 4_200).jpeg({ progressive: true }).toBuffer(),
    ],
    [
      'a JPEG with more scans than a camera writes',
      'too_large',
      async () => withRepeatedScan(await plainImage(2_500, 2_000).jpeg({ progressive: true }).toBuffer(), 45),
    ],
    ['a PNG of 6400 x 6400', 'too_large', () => zeroPng({ width: 6_400, height: 6_400 })],
    [
      'a PNG with 16 bits per sample, which has 200 MB when it is decoded',
      'too_large',
      () => zeroPng({ width: 5_000, height: 5_000, bitsPerSample: 16, colorType: 6 }),
    ],
  ])('an image is rejected: %s, with the error %s', async (_, error, createImage) => {
    expect(await reencode(await createImage())).toEqual({ error });
  });
});

test.each([
  ['a JPEG of 6000 x 4200', { width: 6_000, height: 4_200, progressive: false }],
  ['a progressive JPEG of 4000 x 3000', { width: 4_000, height: 3_000, progressive: true }],
])('an image is accepted: %s, also with a video after it', async (_, { width, height, progressive }) => {
  const jpeg = await plainImage(width, height).jpeg({ progressive }).toBuffer();
  // Phones append a short video to a photo. Its bytes look like markers here and there.
  const video = Buffer.alloc(200_000, Buffer.from('ffda0002', 'hex'));
  expect(widthOrError(await reencode(Buffer.concat([jpeg, video])))).toBe(Math.min(4_096, width));
});

describe('an accepted image', () => {
  it('a PNG with 200,000 chunks of text is accepted', async () => {
    const result = await reencode(zeroPng({ width: 8, height: 8, chunksBeforeData: manyChunks }));
    expect(widthOrError(result)).toBe(8);
  });

  it('an image becomes a JPEG of the same size, from JPEG or PNG', async () => {
    for (const bytes of [await noiseImage(320, 200), await plainImage(320, 200).png().toBuffer()]) {
      const { jpeg, width, height } = await reencodeAccepted(bytes);
      expect([width, height]).toEqual([320, 200]);
      expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 320, height: 200 });
    }
  });

  it('an image loses its metadata: EXIF, GPS, profile, XMP and comments', async () => {
    const metadata = { IFD0: { Make: 'SecretCamera' }, IFD3: { GPSLatitude: '23/1 33/1 0/1', GPSLatitudeRef: 'S' } };
    const original = await sharp(await noiseImage(64, 64))
      .withExif(metadata)
      .withIccProfile('p3')
      .withXmp('<x:secret/>')
      .jpeg()
      .toBuffer();
    const imageWithComment = Buffer.concat([
      original.subarray(0, 2),
      Buffer.from('fffe0008736563726574', 'hex').subarray(0, 10),
      original.subarray(2),
    ]);
    const metadataBefore = await sharp(imageWithComment).metadata();
    expect(
      metadataBefore.exif && metadataBefore.icc && metadataBefore.xmp && metadataBefore.exif.includes('SecretCamera'),
    ).toBe(true);
    const { jpeg } = await reencodeAccepted(imageWithComment);
    const { exif, icc, xmp, iptc, comments, orientation } = await sharp(jpeg).metadata();
    expect({ exif, icc, xmp, iptc, comments, orientation }).toEqual({});
    expect(/secret|Exif/i.test(jpeg.toString('latin1'))).toBe(false);
  });

  it('an image loses data that was appended to its file', async () => {
    const html = Buffer.from('<html><script>steal()</script></html><?php system($_GET[0]); ?>');
    const { jpeg } = await reencodeAccepted(Buffer.concat([await noiseImage(64, 64), html]));
    expect(jpeg.includes('script')).toBe(false);
    expect(jpeg.subarray(-2).toString('hex')).toBe('ffd9');
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'the new image is upright if the image was taken in orientation %i',
    async (orientation) => {
      // An image that is dark at the top and light at the bottom when displayed.
      const dark = await plainImage(60, 20, '#000000').png().toBuffer();
      const upright = await plainImage(60, 40, '#ffffff')
        .composite([{ input: dark, top: 0, left: 0 }])
        .png()
        .toBuffer();
      // sharp always mirrors before it rotates, for any order of the calls.
      const rotations: Record<number, (image: sharp.Sharp) => sharp.Sharp> = {
        1: (image) => image,
        2: (image) => image.flop(),
        3: (image) => image.rotate(180),
        4: (image) => image.flip(),
        5: (image) => image.flip().rotate(90),
        6: (image) => image.rotate(270),
        7: (image) => image.flip().rotate(270),
        8: (image) => image.rotate(90),
      };
      const rotatedImage = await (rotations[orientation]?.(sharp(upright)) ?? sharp(upright)).jpeg().toBuffer();
      const { jpeg, width, height } = await reencodeAccepted(
        await sharp(rotatedImage).withMetadata({ orientation }).toBuffer(),
      );
      expect([width, height]).toEqual([60, 40]);
      const grey = await sharp(jpeg).greyscale().raw().toBuffer();
      expect([Number(grey[5 * 60 + 30]) < 40, Number(grey[35 * 60 + 30]) > 215]).toEqual([true, true]);
    },
  );

  it('an image is reduced to at most 4096 pixels on each edge, in the same proportions, and a small image is not enlarged', async () => {
    expect(await reencodeAccepted(await plainImage(6_000, 3_000).jpeg().toBuffer())).toMatchObject({
      width: 4096,
      height: 2048,
    });
    expect(await reencodeAccepted(await plainImage(1, 1).png().toBuffer())).toMatchObject({
      width: 1,
      height: 1,
      sharpness: 0,
    });
  });

  it('an image gets white in place of transparency', async () => {
    const transparentImage = sharp({
      create: { width: 8, height: 8, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    expect((await reencodeAccepted(await transparentImage.png().toBuffer())).brightness).toBeGreaterThan(250);
  });

  it('the result for an image has its brightness and sharpness', async () => {
    const image = await noiseImage(800, 600);
    const blurredImage = await sharp(image).blur(8).jpeg().toBuffer();
    const plainResult = await reencodeAccepted(await plainImage(800, 600, '#404040').jpeg().toBuffer());
    expect(Math.round(plainResult.brightness)).toBe(64);
    expect(plainResult.sharpness).toBe(0);
    const [sharpResult, blurredResult] = [await reencodeAccepted(image), await reencodeAccepted(blurredImage)];
    expect(sharpResult.sharpness).toBeGreaterThan(300);
    expect(blurredResult.sharpness).toBeLessThan(30);
  });
});
