import type { ImageIssue } from './texts/texts';

/** The longest edge of a sent image, in pixels. At this size, every line of a document is readable, and the file has about a megabyte. */
const edgeMax = 2_560;
/** The largest file that the page reads. Some phones do not have enough memory to draw a larger picture. */
const fileBytesMax = 30 * 1_024 * 1_024;
/** The quality of the JPEG, from 0 to 1. */
const quality = 0.92;

/** An image that the page drew: its pixels, and the JPEG to send. */
export interface DrawnImage {
  canvas: HTMLCanvasElement;
  blob: Blob;
}

/** A drawn image, or why the picture cannot be used. */
export type ReadImage = DrawnImage | { issue: ImageIssue };

/** Draws a picture to a new JPEG, which has no metadata such as the location. Returns { issue } if the browser cannot draw the picture. */
export async function drawImage(source: CanvasImageSource, width: number, height: number): Promise<ReadImage> {
  const scale = Math.min(1, edgeMax / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  if (!context) return { issue: 'unreadable' };
  // Without a white background, transparent pixels of a PNG would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
  return blob ? { canvas, blob } : { issue: 'unreadable' };
}

/**
 * Reads the picture in a file. If the file says that the camera was turned, turns the picture upright. Returns { issue } if the picture
 * cannot be used.
 */
export async function readImage(file: File): Promise<ReadImage> {
  if (file.size > fileBytesMax) return { issue: 'too_large' };
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return await drawImage(image, image.naturalWidth, image.naturalHeight);
  } catch {
    return { issue: file.type.startsWith('image/') ? 'unreadable' : 'not_an_image' };
  } finally {
    URL.revokeObjectURL(url);
  }
}
