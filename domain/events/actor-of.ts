import { isRejectedByService } from '../operator-panel/confirmation-lines';
import { type EventActor, eventTypes, type TransactionEvent } from './event';

/**
 * Who caused an event. Undefined if several actors can cause an event of this type, such as the caller and an operator, and the event does
 * not show which one did.
 */
export function actorOf({ type, data }: Pick<TransactionEvent, 'type' | 'data'>): EventActor | undefined {
  if (type === 'confirmation.rejected' && isRejectedByService(String(data['reason']))) return 'service';
  if (type === 'biometrics.decided' && data['by'] === 'policy') return 'service';
  if (type === 'flow_run.finished' && data['outcome'] === 'Canceled') return undefined;
  const definition: { actor?: EventActor; description: string } = eventTypes[type];
  return definition.actor;
}
