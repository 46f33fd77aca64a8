import { randomBytes } from 'node:crypto';
import { ApplicationFailure, defaultPayloadConverter, type SerializationContext } from '@temporalio/common';
import { DataErasedError, type DataOwner } from '../../../platform/keys/data-keys';
import { BrokenSealError } from '../../../platform/keys/seal';
import { failureConverter } from '../../../platform/temporal/failure-converter';
import { createPayloadCodec, workflowIdOfEncrypted } from '../../../platform/temporal/data-converter';
import { dataOwnerOf, transactionWorkflowId } from '../../../workflows/contract/ids';

/** This name must never appear in clear text. */
const canary = 'Maria das Dores Canary';
/** What Temporal gives to the codec with the payloads: mainly the workflow id. */
const contextOf = (id: string): SerializationContext => ({
  type: 'workflow',
  namespace: 'default',
  workflowId: transactionWorkflowId('acme', id),
});

let keys: Map<string, Buffer>;
const transactionKeys = {
  get: async ({ owner, tenant }: DataOwner) => {
    const key = keys.get(owner);
    if (!key) throw new DataErasedError({ tenant, owner });
    return key;
  },
};
const codec = createPayloadCodec({ transactionKeys, ownerOf: dataOwnerOf, encrypts: true });
beforeEach(() => {
  keys = new Map([
    ['one', randomBytes(32)],
    ['two', randomBytes(32)],
  ]);
});

const payload = () => defaultPayloadConverter.toPayload({ name: canary });
const textOf = (payloads: readonly object[]) =>
  JSON.stringify(payloads) + Buffer.from(JSON.stringify(payloads), 'utf8');

test('a payload of a transaction is encrypted, and shows only the workflow id', async () => {
  const [encrypted] = await codec.encode([payload()], contextOf('one'));
  if (!encrypted) throw new Error('There is no payload.');
  expect(Buffer.from(encrypted.data ?? []).includes(canary)).toBe(false);
  expect(workflowIdOfEncrypted(encrypted)).toBe('transaction/acme/one');
  const [decrypted] = await codec.decode([encrypted], contextOf('one'));
  expect(defaultPayloadConverter.fromPayload(decrypted ?? {})).toEqual({ name: canary });
  // The codec server decrypts without a context.
  expect(await codec.decode([encrypted])).toEqual([decrypted]);
});

test('the same value is never encrypted to the same bytes', async () => {
  const [first, second] = await codec.encode([payload(), payload()], contextOf('one'));
  expect(first?.data).not.toEqual(second?.data);
});

test('messages and stacks of errors are encrypted', async () => {
  const error = ApplicationFailure.create({ message: canary, details: [{ name: canary }] });
  const failure = failureConverter.errorToFailure(error, defaultPayloadConverter, contextOf('one'));
  expect(failure.message).not.toContain(canary);
  expect(failure.stackTrace).toBe('');
  const [attributes] = await codec.encode(
    failure.encodedAttributes ? [failure.encodedAttributes] : [],
    contextOf('one'),
  );
  expect(workflowIdOfEncrypted(attributes ?? {})).toBe('transaction/acme/one');
  expect(textOf([attributes ?? {}])).not.toContain(canary);
});

test('a payload that was copied to another transaction, or changed, is rejected', async () => {
  const [encrypted] = await codec.encode([payload()], contextOf('one'));
  await expect(codec.decode([encrypted ?? {}], contextOf('two'))).rejects.toThrow('belongs to transaction/acme/one');
  const metadata = { ...encrypted?.metadata, 'encryption-key-id': Buffer.from('transaction/acme/two') };
  await expect(codec.decode([{ ...encrypted, metadata }], contextOf('two'))).rejects.toThrow(BrokenSealError);
  const data = Buffer.from(encrypted?.data ?? []);
  data[data.length - 1] = (data.at(-1) ?? 0) ^ 1;
  await expect(codec.decode([{ ...encrypted, data }], contextOf('one'))).rejects.toThrow(BrokenSealError);
});

test('after the data key of a transaction was destroyed, its payloads can be neither decrypted nor encrypted', async () => {
  const encrypted = await codec.encode([payload()], contextOf('one'));
  keys.delete('one');
  await expect(codec.decode(encrypted, contextOf('one'))).rejects.toThrow(DataErasedError);
  await expect(codec.encode([payload()], contextOf('one'))).rejects.toThrow(DataErasedError);
});

test('without the data key, a note with the reason replaces the texts of an error, and the workflow is reported as erased', async () => {
  const erased: string[] = [];
  const worker = createPayloadCodec({
    ...{ transactionKeys, ownerOf: dataOwnerOf, encrypts: true },
    onErased: (workflowId) => erased.push(workflowId),
  });
  const cause = ApplicationFailure.create({ message: canary, details: [{ name: canary }] });
  const failure = failureConverter.errorToFailure(
    new Error(canary, { cause }),
    defaultPayloadConverter,
    contextOf('one'),
  );
  const payloads = [failure, failure.cause].flatMap((one) => [
    ...(one?.encodedAttributes ? [one.encodedAttributes] : []),
    ...(one?.applicationFailureInfo?.details?.payloads ?? []),
  ]);
  expect(payloads).toHaveLength(3);
  keys.delete('one');
  const replaced = await worker.encode(payloads, contextOf('one'));
  expect(replaced.map((one) => defaultPayloadConverter.fromPayload(one))).toEqual(
    payloads.map(() => '[not encrypted: DataErasedError]'),
  );
  expect(new Set(erased)).toEqual(new Set([transactionWorkflowId('acme', 'one')]));
  // Only texts of errors are replaced.
  await expect(worker.encode([payload()], contextOf('one'))).rejects.toThrow(DataErasedError);
  expect(() =>
    failureConverter.failureToError({ ...failure, encodedAttributes: replaced[0] ?? null }, defaultPayloadConverter),
  ).not.toThrow();
});

test('payloads of a workflow without a transaction, and payloads in clear text, stay as they are', async () => {
  const context: SerializationContext = { type: 'workflow', namespace: 'default', workflowId: 'retention' };
  const clear = payload();
  expect(await codec.encode([clear], context)).toEqual([clear]);
  expect(await codec.decode([clear], contextOf('one'))).toEqual([clear]);
});

test.each<[string, SerializationContext | undefined]>([
  ['a context', undefined],
  ['a workflow id', { type: 'activity', namespace: 'default', activityId: 'one', isLocal: false }],
])('a payload without %s is never stored in clear text', async (_, context) => {
  await expect(codec.encode([payload()], context)).rejects.toThrow('without a workflow id');
});

test('an error that is encoded without a workflow id keeps only its name', () => {
  const cause = ApplicationFailure.create({ message: canary, details: [{ name: canary }] });
  const failure = failureConverter.errorToFailure(new TypeError(canary, { cause }), defaultPayloadConverter);
  expect(failure).toEqual({ message: 'TypeError', source: 'TypeScriptSDK' });
});
