import type { AttemptLimits } from '../store/messages/attempts.sql';
import type { SendLimits } from '../store/messages/sends/create-send.sql';

/** Limits of a phone or mailbox that replace the usual ones. Undefined: it has the usual limits. */
export type ExceptionalLimits = (destination: string) => { send: SendLimits; attempts: AttemptLimits } | undefined;
