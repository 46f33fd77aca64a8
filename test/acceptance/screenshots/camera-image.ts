import { writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import type { CaptureKind } from '../../../domain/biometrics/biometrics';
import { drawnFace } from './drawn-face';
import { cardSize, sampleCard } from './sample-card';

/** Full HD in portrait, like a phone camera. */
const videoSize = { width: 1080, height: 1920 };
/** Center of the outline that the page draws over the video on a phone. */
const overlayCenter = { x: videoSize.width / 2, y: 900 };

const toSvg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${videoSize.width}" height="${videoSize.height}">${content}</svg>`;

function drawCardOnTable(card: string): string {
  const scale = 870 / cardSize.width;
  const transform = `translate(${overlayCenter.x} ${overlayCenter.y}) rotate(-1.6) scale(${scale}) translate(${-cardSize.width / 2} ${-cardSize.height / 2})`;
  const planks = Array.from(
    { length: 6 },
    (_, index) => `<path d="M0 ${index * 340 + 90}L1080 ${index * 340 + 60}"/>`,
  ).join('');
  return toSvg(`
    <linearGradient id="table" x1="0" y1="0" x2=".4" y2="1">
      <stop offset="0" stop-color="#5a5148"/><stop offset="1" stop-color="#3d3732"/>
    </linearGradient>
    <filter id="blur"><feGaussianBlur stdDeviation="16"/></filter>
    <rect width="100%" height="100%" fill="url(#table)"/>
    <g stroke="#332d28" stroke-width="5">${planks}</g>
    <g transform="${transform}">
      <rect x="6" y="16" width="856" height="540" rx="30" filter="url(#blur)" fill="#000" fill-opacity=".6"/>${card}
    </g>`);
}

/** The face fills the oval on the page. */
const personAtWall = toSvg(`
  <linearGradient id="wall" x1="0" y1="0" x2="1" y2="1">
    <stop offset="0" stop-color="#dfe3dc"/><stop offset="1" stop-color="#aab6b4"/>
  </linearGradient>
  <rect width="100%" height="100%" fill="url(#wall)"/>
  <rect x="-90" y="120" width="330" height="430" fill="#8fa9a6"/><rect x="-60" y="150" width="270" height="370" fill="#e8dfc8"/>
  <path d="M-60 520l120-150 80 80 70-60v130z" fill="#7f9a75"/>
  <path d="M91 1600h898l24 320H67z" fill="#2f5d73"/>
  <svg x="-20" y="205" width="1120" height="1400" viewBox="0 0 400 500">${drawnFace}</svg>`);

const drawings: Record<CaptureKind, string> = {
  documentFront: drawCardOnTable(sampleCard.front),
  documentBack: drawCardOnTable(sampleCard.back),
  selfie: personAtWall,
};

/** The same numbers in every run (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    const mixedAgain = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed));
    return ((mixedAgain ^ (mixedAgain >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The largest change of a color value (0 to 255). Without noise, a drawing does not look like a photo. */
const noiseAmplitude = 3;

export interface ImageQuality {
  /** The sigma of the Gaussian blur, in pixels. Default: 0. */
  blur?: number;
  /** The factor for the brightness. Default: 1. */
  brightness?: number;
}

/** A JPEG of a sample document or a drawn person, with the same bytes in every run. */
export async function renderCameraImage(
  kind: CaptureKind,
  { blur = 0, brightness = 1 }: ImageQuality = {},
): Promise<Buffer> {
  const image = sharp(Buffer.from(drawings[kind])).flatten().removeAlpha().linear(brightness);
  const { data } = await (blur > 0 ? image.blur(blur) : image).raw().toBuffer({ resolveWithObject: true });
  const nextRandom = seededRandom(kind.length);
  for (let offset = 0; offset < data.length; offset += 3) {
    const noise = Math.round((nextRandom() - 0.5) * 2 * noiseAmplitude);
    for (let channel = offset; channel < offset + 3; channel += 1)
      data[channel] = Math.max(0, Math.min(255, (data[channel] ?? 0) + noise));
  }
  return sharp(data, { raw: { ...videoSize, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** The browser repeats the frames. */
const frameCount = 2;

/** Writes a video of one still image, and returns its path. */
export async function writeCameraVideo(folder: string, kind: CaptureKind): Promise<string> {
  const file = path.join(folder, `${kind}.mjpeg`);
  // The browser takes the levels of a JPEG (0 to 255) for video levels (16 to 235), and stretches them. To keep the colors, the levels are
  // compressed first.
  const videoFrame = await sharp(await renderCameraImage(kind))
    .linear(219 / 255, 16)
    .jpeg({ quality: 90 })
    .toBuffer();
  writeFileSync(file, Buffer.concat(Array.from({ length: frameCount }, () => videoFrame)));
  return file;
}
