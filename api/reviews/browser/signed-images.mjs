/** Enough for a large image over a slow connection. */
const timeoutMs = 60_000;
/** A third URL would not help; the reviewer can still try again. */
const renewalsMost = 2;

/** Instead of a URL: the image is deleted. */
export const deleted = Symbol('deleted');

/** Signed URLs start with PUBLIC_URL, which may differ from the origin of this page. */
function localPath(address) {
  const { pathname, search } = new URL(address, location.origin);
  return `${pathname}${search}`;
}

async function read(address) {
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
 * Loads the images of a review, each once, so they stay visible after their signed URLs expire. If a URL has expired,
 * `readAgain` returns the review with new URLs, once for all images. `load` resolves to a blob URL, to `deleted`, or to
 * undefined if the image cannot be loaded. `forget` frees all blob URLs.
 */
export function signedImages(review, readAgain) {
  let addresses = review.images;
  let renewing;
  let over = false;
  const urls = [];

  const renew = () => {
    renewing ??= readAgain()
      .then((renewed) => {
        addresses = renewed.images;
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  };

  async function load(kind) {
    for (let renewals = 0; renewals <= renewalsMost; renewals += 1) {
      const tried = addresses;
      if (!(kind in tried)) return deleted;
      const blob = await read(tried[kind]);
      if (over) return undefined;
      if (blob) {
        const url = URL.createObjectURL(blob);
        urls.push(url);
        return url;
      }
      if (renewals < renewalsMost && addresses === tried) await renew();
    }
    return undefined;
  }

  function forget() {
    over = true;
    for (const url of urls) URL.revokeObjectURL(url);
  }

  return { load, forget };
}
