/** Minimum pixels of the short edge to read the small print of a card. */
const shortEdgeMin = 640;
/** Longest edge of the grey copy. A fixed size makes the measurements independent of the camera. */
const greyEdge = 512;
/** Mean grey, 0 to 255. Ordinary pictures have 70 to 190. */
const [brightnessMin, brightnessMax] = [45, 225];
/** Variance of the Laplacian. Sharp pictures of documents have some hundreds, blurred ones less than thirty. */
const sharpnessMin = 30;

function greyOf(canvas) {
  const scale = Math.min(1, greyEdge / Math.max(canvas.width, canvas.height));
  const width = Math.max(3, Math.round(canvas.width * scale));
  const height = Math.max(3, Math.round(canvas.height * scale));
  const small = document.createElement('canvas');
  small.width = width;
  small.height = height;
  const context = small.getContext('2d', { willReadFrequently: true });
  context.imageSmoothingQuality = 'high';
  context.drawImage(canvas, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  const grey = new Float32Array(width * height);
  for (let at = 0; at < grey.length; at += 1)
    grey[at] = 0.299 * data[at * 4] + 0.587 * data[at * 4 + 1] + 0.114 * data[at * 4 + 2];
  return { grey, width, height };
}

function sharpnessOf({ grey, width, height }) {
  let [sum, sumOfSquares, count] = [0, 0, 0];
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const edge = grey[at - 1] + grey[at + 1] + grey[at - width] + grey[at + width] - 4 * grey[at];
      sum += edge;
      sumOfSquares += edge * edge;
      count += 1;
    }
  }
  return sumOfSquares / count - (sum / count) ** 2;
}

/**
 * Returns a list with the first issue of a picture (a key of the texts `issues`), or []. Checks the light before the sharpness,
 * because no picture is sharp in bad light.
 */
export function checkImage(canvas) {
  const greyCopy = greyOf(canvas);
  const brightness = greyCopy.grey.reduce((sum, value) => sum + value, 0) / greyCopy.grey.length;
  if (Math.min(canvas.width, canvas.height) < shortEdgeMin) return ['too_small'];
  if (brightness < brightnessMin) return ['too_dark'];
  if (brightness > brightnessMax) return ['too_bright'];
  return sharpnessOf(greyCopy) < sharpnessMin ? ['blurred'] : [];
}
