import type { ImageIssue } from './texts/texts';

/** The minimum length of the short edge, in pixels. With fewer pixels, nobody could read the small print of a card. */
const shortEdgeMin = 640;
/** The longest edge, in pixels, of the grey copy that is measured. A fixed size makes the measurements independent of the camera. */
const greyEdge = 512;
/** The limits of the mean grey, from 0 (black) to 255 (white). Ordinary pictures have 70 to 190. */
const [brightnessMin, brightnessMax] = [45, 225] as const;
/** The minimum variance of the Laplacian, a measure of sharpness. Sharp pictures of documents have some hundreds. */
const sharpnessMin = 30;

/** A small copy of a picture without colors. */
interface GreyCopy {
  /** The grey of each pixel, row by row, from 0 (black) to 255 (white). */
  grey: Float32Array;
  width: number;
  height: number;
}

/** The grey copy of a picture. Undefined if the browser cannot draw it. */
function greyOf(canvas: HTMLCanvasElement): GreyCopy | undefined {
  const scale = Math.min(1, greyEdge / Math.max(canvas.width, canvas.height));
  const width = Math.max(3, Math.round(canvas.width * scale));
  const height = Math.max(3, Math.round(canvas.height * scale));
  const small = document.createElement('canvas');
  small.width = width;
  small.height = height;
  const context = small.getContext('2d', { willReadFrequently: true });
  if (!context) return undefined;
  context.imageSmoothingQuality = 'high';
  context.drawImage(canvas, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  const grey = Float32Array.from(
    { length: width * height },
    (_, at) => 0.299 * (data[at * 4] ?? 0) + 0.587 * (data[at * 4 + 1] ?? 0) + 0.114 * (data[at * 4 + 2] ?? 0),
  );
  return { grey, width, height };
}

/** The variance of the Laplacian. The Laplacian of a pixel says how much the pixel differs from its four neighbors. */
function sharpnessOf({ grey, width, height }: GreyCopy): number {
  const valueAt = (at: number) => grey[at] ?? 0;
  let [sum, sumOfSquares, count] = [0, 0, 0];
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const edge = valueAt(at - 1) + valueAt(at + 1) + valueAt(at - width) + valueAt(at + width) - 4 * valueAt(at);
      sum += edge;
      sumOfSquares += edge * edge;
      count += 1;
    }
  }
  return sumOfSquares / count - (sum / count) ** 2;
}

/**
 * Returns the first issue of a picture, if any. Checks the light before the sharpness, because a picture in bad light is also not sharp.
 */
export function checkImage(canvas: HTMLCanvasElement): ImageIssue | undefined {
  const greyCopy = greyOf(canvas);
  if (Math.min(canvas.width, canvas.height) < shortEdgeMin) return 'too_small';
  // Without a grey copy, this page cannot measure the picture. The service measures each picture anyway.
  if (!greyCopy) return undefined;
  const brightness = greyCopy.grey.reduce((sum, value) => sum + value, 0) / greyCopy.grey.length;
  if (brightness < brightnessMin) return 'too_dark';
  if (brightness > brightnessMax) return 'too_bright';
  return sharpnessOf(greyCopy) < sharpnessMin ? 'blurred' : undefined;
}
