import { ApplicationFailure } from '@temporalio/activity';
import { hashDestination } from '../messages/codes';
import { isUniqueViolation } from '../platform/postgres/tenant-pool';
import { DataErasedError, DataKeyMissingError } from '../platform/keys/data-keys';
import type { Keys } from '../platform/keys/service-keys';
import { errorName, type Logger } from '../platform/logger';
import { isOutage } from '../platform/outage';
import type { Pool } from '../platform/postgres/postgres';
import { defineCounter } from '../platform/telemetry/metrics';
import {
  type Activities,
  recordNotSavedType,
  type SaveResult,
  type RecordToSave,
} from '../workflows/contract/activities';
import { attemptValues } from '../store/messages/attempts.sql';
import { type RecordKeys, type SavedState, saveState } from '../store/transactions/transactions.sql';
import type { MessageLimits } from './messages/limits';

const savesCounter = defineCounter('countersign.record.saves', {
  description: 'Saves of records, by their result',
  fromZero: [{ result: 'saved' }, { result: 'ahead' }],
});

export interface RecorderDependencies {
  pool: Pool;
  keys: Keys;
  transactionKeys: RecordKeys;
  limits: Pick<MessageLimits, 'ofAttempts'>;
  logger: Logger;
}

/**
 * Creates the activity that saves the record. One statement saves it, counts the attempt if the person typed a code, and spreads the facts (what
 * the person has confirmed or denied). A second statement saves the record of an attempt over the limits. If the record is ahead of the workflow,
 * no state is saved.
 */
export function createRecorder(dependencies: RecorderDependencies): Activities['saveRecord'] {
  const { logger } = dependencies;
  return async (record) => {
    const result = await saveOrRepeat(dependencies, record).catch((error: unknown) => {
      // A missing data key comes back when an operator restores it. The workflow of an erased transaction is ended.
      if (isOutage(error) || error instanceof DataKeyMissingError || error instanceof DataErasedError) throw error;
      logger.error({ transactionId: record.state.id, failure: errorName(error) }, 'a record cannot be saved');
      throw ApplicationFailure.nonRetryable('The record cannot be saved.', recordNotSavedType);
    });
    const { newerRecord } = result;
    const state = result.attemptAllowed ? record.state : { ...record.state, ...record.attempt?.stateIfRejected };
    const { id, version } = state;
    savesCounter.add(1, { result: newerRecord ? 'ahead' : 'saved' });
    if (newerRecord)
      logger.warn(
        { transactionId: id, version, recordVersion: newerRecord.version },
        'the record is ahead of the workflow, which continues from the record',
      );
    return result;
  };
}

/** How often a save is repeated after a save of another process at the same time. Only the API, at the create, and the retention also save. */
const repeatsMax = 3;

/**
 * Saves the record. If another process saves the same transaction at the same time, Postgres rejects the second save, which does not see the
 * events of the first. A repeat sees them.
 */
async function saveOrRepeat(
  dependencies: RecorderDependencies,
  record: RecordToSave,
  repeatsLeft = repeatsMax,
): Promise<SaveResult> {
  return save(dependencies, record).catch((error: unknown) => {
    if (!isUniqueViolation(error) || repeatsLeft === 0) throw error;
    return saveOrRepeat(dependencies, record, repeatsLeft - 1);
  });
}

async function save(
  { pool, keys, transactionKeys, limits }: RecorderDependencies,
  { state, savedVersion, attempt }: RecordToSave,
): Promise<SaveResult> {
  if (!attempt) return toSaveResult(await saveState(pool, transactionKeys, state, savedVersion));
  const { stateIfRejected, destination, ...attemptToCount } = attempt;
  const hashed = { ...attemptToCount, tenant: state.tenant, destinationHash: hashDestination(keys, destination) };
  const values = attemptValues(hashed, limits.ofAttempts(destination));
  const saved = await saveState(pool, transactionKeys, state, savedVersion, values);
  if (saved.attemptAllowed) return toSaveResult(saved);
  // The attempt is saved as not allowed. So after a crash, a retry gets here again.
  const rejected = await saveState(pool, transactionKeys, { ...state, ...stateIfRejected }, savedVersion);
  return { ...toSaveResult(rejected), attemptAllowed: false };
}

const toSaveResult = ({ attemptAllowed, newerRecord }: SavedState): SaveResult => ({
  attemptAllowed,
  ...(newerRecord && { newerRecord }),
});
