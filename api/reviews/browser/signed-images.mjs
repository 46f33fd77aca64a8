/** A large image over a slow connection. */
const timeoutMs = 60_000;
/** Without a new address the second time, one more would not help; the reviewer can still try again. */
const renewalsMost = 2;

/** In place of an address: the days of the image are over. */
export const deleted = Symbol('deleted');

/** Addresses carry the public name of the service, which a proxy may not have: only what follows it is used. */
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
    // Broken off, or no address at all: as good as expired.
  }
  return undefined;
}

/**
 * Reads the images of a review, each once: what was read stays visible when its address has expired. An expiry is
 * noticed by the answer, not by this machine's clock, which may be wrong; then `readAgain` gives the review with new
 * addresses, once for all images that wait for them. `load` resolves to an address of this page's own, to
 * `deleted`, or to undefined when the image cannot be had; `forget` frees them all.
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
