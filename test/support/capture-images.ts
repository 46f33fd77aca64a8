import { circleOfTenant, observationOf } from '../../store/transactions/observed-values';
import { dataOwnerOf, transactionWorkflowId, workflowType } from '../../workflows/contract/ids';
import { randomBytes } from 'node:crypto';
import { Client, type Connection, type WorkflowHandle } from '@temporalio/client';
import { captureKinds } from '../../domain/biometrics/biometrics';
import type { PageAction } from '../../domain/biometrics/capture';
import type { SealedImages } from '../../images/sealed-images';
import { newState } from '../../domain/transactions/state';
import type { TransactionKeys } from '../../platform/keys/data-keys';
import { createDataConverter } from '../../platform/temporal/data-converter';
import type { Pool } from '../../platform/postgres/postgres';
import { createRecord } from '../../store/transactions/transactions.sql';
import * as contract from '../../workflows/contract/commands';
import { person, testKeys } from './build';

const tenant = 'local';
const dayMs = 86_400_000;

const request: contract.RequestInfo = { fingerprint: 'f', rememberResponse: false };

/** Sends an action as the API does, for the page of the biometrics link. */
const sendAction = (handle: WorkflowHandle, action: PageAction) =>
  handle.executeUpdate(contract.applyPageAction, {
    args: [{ ...action, biometricsId: 'a', owner: 'mine' }, request],
  });

interface CaptureTarget {
  pool: Pool;
  connection: Connection;
  transactionKeys: TransactionKeys;
  taskQueue: string;
  images: Pick<SealedImages, 'save'>;
}

/** A transaction with saved images (random bytes) that are not submitted yet. */
export async function captureImages(
  { pool, connection, transactionKeys, taskQueue, images }: CaptureTarget,
  id: string,
): Promise<WorkflowHandle> {
  const dataConverter = createDataConverter({ transactionKeys, ownerOf: dataOwnerOf, encrypts: true });
  const client = new Client({ connection, dataConverter });
  const state = newState({ tenant, id, input: person, createdAt: new Date().toISOString() });
  await createRecord(pool, transactionKeys, state, observationOf(testKeys, state, circleOfTenant(state.tenant)));
  const handle = await client.workflow.start(workflowType, {
    workflowId: transactionWorkflowId(tenant, id),
    taskQueue,
    args: [{ state }],
  });
  const link = {
    biometricsId: 'a',
    tokenHash: `hash of ${id}`,
    expiresAfterMs: dayMs,
    language: 'pt-BR' as const,
    channels: [],
    messages: {},
    allowedDialCodes: ['55'],
    imageDays: 1,
    facePolicy: { approve: { similarity: 1, liveness: 1 } },
  };
  await handle.executeUpdate(contract.requestBiometrics, { args: [link, request] });
  await sendAction(handle, { action: 'open' });
  await sendAction(handle, { action: 'consent' });
  for (const kind of captureKinds) {
    const deleteAfter = new Date(Date.now() + dayMs);
    const image = await images.save({
      tenant,
      owner: id,
      linkId: link.biometricsId,
      kind,
      jpeg: randomBytes(100_000),
      deleteAfter,
    });
    await sendAction(handle, {
      action: 'capture',
      kind,
      capture: { imageId: image.id, width: 1200, height: 900, sharpness: 200, brightness: 120 },
    });
  }
  return handle;
}

/** This starts the face verifier. */
export const submitImages = (handle: WorkflowHandle) => sendAction(handle, { action: 'submit' });
