import type { Biometrics } from './biometrics';

/**
 * Why a link was canceled, for the person. Undefined if it was not canceled. `erased`: the images were erased. `newer`: another
 * link replaced it. `ended`: its flow run was canceled, or the person denied the
 * transaction. `isNewest`: whether the transaction has no newer link.
 */
export function cancelReasonOf(
  { status, erasedAt }: Pick<Biometrics, 'status' | 'erasedAt'>,
  isNewest: boolean,
): 'erased' | 'newer' | 'ended' | undefined {
  if (status !== 'Canceled') return undefined;
  if (erasedAt !== undefined) return 'erased';
  return isNewest ? 'ended' : 'newer';
}
