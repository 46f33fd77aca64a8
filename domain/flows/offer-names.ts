import { flowLimits } from './flow-limits';

/** Tells which of some names was meant: see `nearest` of platform. A library does it, of which nothing here knows. */
export interface Nearest {
  /** The one that was hardly missed, and all, the nearest to it first; in their own order when none was. */
  nearest?: ((written: string, names: readonly string[]) => { names: readonly string[]; meant?: string }) | undefined;
}

/** As many as a flow may have steps: what has more is told so, and is looked through for every fault. */
const most = flowLimits.steps;

/**
 * The mend of a name that there is not: all that there are, after a question and the nearest first where one was hardly missed.
 * `end` comes after the last.
 */
export function offerNames(
  words: string,
  written: string,
  names: readonly string[],
  { nearest }: Nearest,
  end = '.',
): string {
  // A name that is too long is told so where it stands, and need not stand in every mend.
  const short = names.map((name) => (name.length > flowLimits.name ? `${name.slice(0, flowLimits.name)}…` : name));
  const comparable = names.length <= most && written.length <= flowLimits.line;
  const offer = (comparable ? nearest?.(written, short) : undefined) ?? { names: short.slice(0, most) };
  const question = offer.meant === undefined ? '' : `Did you mean ${offer.meant}? `;
  return `${question}${words} ${offer.names.join(', ')}${names.length > most ? ' …' : ''}${end}`;
}
