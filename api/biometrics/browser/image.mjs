/** Longest edge of what is sent: every line of a document is readable, and it stays near one megabyte. */
const edgeMost = 2_560;
/** Above this, the canvas of a phone may run out of memory. */
const fileBytesMost = 30 * 1_024 * 1_024;
const quality = 0.92;

/** The person sees what is sent: a new JPEG of the pixels alone, so no place, device or other hidden data leaves. */
export async function drawImage(source, width, height) {
  const scale = Math.min(1, edgeMost / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  // What is transparent in a PNG would come out black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
  return blob ? { canvas, blob } : { fault: 'unreadable' };
}

/** The picture in a file, turned as its camera was held; { fault } when there is none. */
export async function readImage(file) {
  if (file.size > fileBytesMost) return { fault: 'too_large' };
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return await drawImage(image, image.naturalWidth, image.naturalHeight);
  } catch {
    return { fault: file.type.startsWith('image/') ? 'unreadable' : 'not_an_image' };
  } finally {
    URL.revokeObjectURL(url);
  }
}
