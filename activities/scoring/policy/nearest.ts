import { jaroWinkler } from '../jaro-winkler';

/** Below this, two names have so little in common that naming one for the other would mislead. */
const likenessMin = 0.7;

/** The name that was most likely meant, whatever the letter case; undefined when none is near. Of equals the last. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const start = (name: string) => name.toLowerCase().split('.')[0];
  let best: { name: string; likeness: number } | undefined;
  for (const name of names) {
    // The same code in another direction is nearer than another code in the same.
    const likeness = jaroWinkler(given.toLowerCase(), name.toLowerCase()) + (start(given) === start(name) ? 1 : 0);
    if (likeness >= (best?.likeness ?? likenessMin)) best = { name, likeness };
  }
  return best?.name;
}
