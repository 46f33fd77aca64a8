import { keyedHash } from '../../messages/codes';
import type { DecisionEvent } from '../../store/messages/provider-events.sql';
import { decideBiometrics } from '../../workflows/contract/commands';
import type { Needs } from '../dependencies';
import { isFinalRejection, type TransactionWork } from '../transactions/transactions';

/** Returns the work that sends a decision on images to its transaction. It does nothing if the images wait for no decision. */
export function processDecision(
  { transactions, keys }: Needs<'transactions' | 'keys'>,
  eventId: string,
  { target, decision }: DecisionEvent,
): TransactionWork {
  const { biometricsId, status, by, reason } = decision;
  const request = {
    input: decision,
    identity: [biometricsId, status, by, reason],
    idempotencyKey: keyedHash(keys, 'decision', eventId),
  };
  const run = async () => {
    try {
      await transactions.send(target, decideBiometrics, request);
    } catch (error) {
      if (!isFinalRejection(error)) throw error;
    }
  };
  return { target, run };
}
