import type { CaptureKind, Review } from './review-types';

/** How long an image may take to load: long enough for a large image over a slow connection. */
const timeoutMs = 60_000;
/** How many times the page requests new URLs for an image. More requests would not help. The reviewer can still press "Try again". */
const renewalsMax = 2;

/** The result of loading an image. `erased`: the image does not exist any more. `broken`: the image cannot be loaded now. */
export type LoadedImage = { url: string } | 'erased' | 'broken';

/**
 * The path and query of a signed URL, which is valid only for a short time. A signed URL starts with PUBLIC_URL, which may be another host.
 * The page loads the image from its own host instead.
 */
function localPath(address: string): string {
  const { pathname, search } = new URL(address, location.origin);
  return `${pathname}${search}`;
}

/** Loads an image. Undefined if this fails, for example because the signed URL has expired. */
async function readBlob(address: string): Promise<Blob | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(localPath(address), { cache: 'no-store', credentials: 'omit', signal });
    if (response.ok) return await response.blob();
  } catch {
    // An interrupted response counts as an expired URL.
  }
  return undefined;
}

export interface ImageLoader {
  load: (kind: CaptureKind) => Promise<LoadedImage>;
  /** Frees the memory of all images. */
  forget: () => void;
}

/**
 * Loads each image of a review once, into the memory of the browser. The address of an image there is a blob URL, which stays valid until
 * `forget` is called. So the images stay visible after their signed URLs expire. If a signed URL expires before its image is loaded, gets
 * new signed URLs for all images with one call of `reloadReview`.
 */
export function createImageLoader(review: Review, reloadReview: () => Promise<Review>): ImageLoader {
  let signedUrls = review.images;
  let pendingRenewal: Promise<void> | undefined;
  let isClosed = false;
  const blobUrls: string[] = [];

  const renew = () => {
    pendingRenewal ??= reloadReview()
      .then(({ images }) => {
        signedUrls = images;
      })
      .finally(() => {
        pendingRenewal = undefined;
      });
    return pendingRenewal;
  };

  async function load(kind: CaptureKind): Promise<LoadedImage> {
    for (let renewals = 0; renewals <= renewalsMax; renewals += 1) {
      const usedUrls = signedUrls;
      const address = usedUrls[kind];
      if (address === undefined) return 'erased';
      const blob = await readBlob(address);
      if (isClosed) return 'broken';
      if (blob) {
        const url = URL.createObjectURL(blob);
        blobUrls.push(url);
        return { url };
      }
      if (renewals < renewalsMax && signedUrls === usedUrls) await renew();
    }
    return 'broken';
  }

  function forget() {
    isClosed = true;
    for (const url of blobUrls) URL.revokeObjectURL(url);
  }

  return { load, forget };
}
