import type { Biometrics } from './biometrics';

/**
 * What canceled a link, as its person is told; undefined when nothing did. `erased`: the images are gone, whatever came
 * before. `newer`: another link took its place. `ended`: what it was for ended, such as a run of a flow. `isNewest`:
 * whether the person was given no link after it.
 */
export function canceledBy(
  { status, erasedAt }: Pick<Biometrics, 'status' | 'erasedAt'>,
  isNewest: boolean,
): 'erased' | 'newer' | 'ended' | undefined {
  if (status !== 'Canceled') return undefined;
  if (erasedAt !== undefined) return 'erased';
  return isNewest ? 'ended' : 'newer';
}
