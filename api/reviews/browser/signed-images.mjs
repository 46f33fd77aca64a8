/** Enough for a large image over a slow connection. */
const timeoutMs = 60_000;
/** More new URLs would not help. The reviewer can still press "Try again". */
const renewalsMax = 2;

/** The result instead of a URL if the image was erased. */
export const erasedImage = Symbol('erased');

/** Signed URLs start with PUBLIC_URL, which may differ from the origin of this page. */
function localPath(address) {
  const { pathname, search } = new URL(address, location.origin);
  return `${pathname}${search}`;
}

async function readBlob(address) {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(localPath(address), { cache: 'no-store', credentials: 'omit', signal });
    if (response.ok) return await response.blob();
  } catch {
    // An interrupted response counts as an expired URL.
  }
  return undefined;
}

/**
 * Loads the images of a review, each once, so they stay visible after their signed URLs expire. If a URL has expired, gets new
 * URLs for all images with one call of `reloadReview`, which resolves to the review. `load` resolves to a blob URL, to
 * `erasedImage`, or to undefined if the image cannot be loaded. `forget` frees all blob URLs.
 */
export function createImageLoader(review, reloadReview) {
  let signedUrls = review.images;
  let pendingRenewal;
  let isClosed = false;
  const blobUrls = [];

  const renew = () => {
    pendingRenewal ??= reloadReview()
      .then((reloadedReview) => {
        signedUrls = reloadedReview.images;
      })
      .finally(() => {
        pendingRenewal = undefined;
      });
    return pendingRenewal;
  };

  async function load(kind) {
    for (let renewals = 0; renewals <= renewalsMax; renewals += 1) {
      const usedUrls = signedUrls;
      if (!(kind in usedUrls)) return erasedImage;
      const blob = await readBlob(usedUrls[kind]);
      if (isClosed) return undefined;
      if (blob) {
        const url = URL.createObjectURL(blob);
        blobUrls.push(url);
        return url;
      }
      if (renewals < renewalsMax && signedUrls === usedUrls) await renew();
    }
    return undefined;
  }

  function forget() {
    isClosed = true;
    for (const url of blobUrls) URL.revokeObjectURL(url);
  }

  return { load, forget };
}
