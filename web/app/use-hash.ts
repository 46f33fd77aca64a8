import { useEffect, useState } from 'preact/hooks';

/** The part of the address after `#`, which says which view to show. */
export function useHash(): string {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const update = () => setHash(location.hash);
    // The hash may have changed between the first render and this effect.
    update();
    window.addEventListener('hashchange', update);
    return () => window.removeEventListener('hashchange', update);
  }, []);
  return hash;
}
