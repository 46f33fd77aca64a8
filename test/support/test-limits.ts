import { createMessageLimits, type MessageLimits } from '../../activities/messages/limits';
import { readSendingLimits } from '../../messages/sending-limits';

/** `sendingLimits`: the value of the setting SENDING_LIMITS. */
export const createTestLimits = (sendingLimits: object = {}): MessageLimits =>
  createMessageLimits(readSendingLimits({ SENDING_LIMITS: JSON.stringify(sendingLimits), COUNTERSIGN_ENV: 'local' }));
