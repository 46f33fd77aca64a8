import type { RunView } from '../../domain/flows/view-run';
import type { ChaosWorld } from './chaos-world';
import { type ConfirmationName, confirmationActions } from './confirmation-actions';
import { type InboxMessage, readCode } from './inbox-person';
import { expectStatus } from './retrying-caller';

/** The kinds of transactions that can be open while the version of the workers changes. */
export const openKinds = [
  'a code',
  'a code after a wrong one',
  'a question',
  'a flow run',
  'a link',
  'nothing',
] as const;
type OpenKind = (typeof openKinds)[number];

/** A transaction that waits for something. */
export interface OpenTransaction {
  kind: OpenKind;
  id: string;
  phone: string;
  /** The message that the person must answer. Absent for `a link` and `nothing`. */
  message?: InboxMessage;
  /** Absent if no flow runs. */
  runId?: string;
}

const pathOf = ({ id }: Pick<OpenTransaction, 'id'>) => `/v1/transaction/${id}`;

/** Creates a transaction, and asks the person for something. */
export async function openTransaction(world: ChaosWorld, kind: OpenKind): Promise<OpenTransaction> {
  const { caller, person } = world;
  const { fields, e164: phone } = world.nextPhone();
  const input = { documentType: 'CPF', document: '52998224725', phone: fields };
  const created = expectStatus(201, await caller.post('/v1/transaction', `create-${phone}`, input));
  const one = { kind, phone, id: (created.body as { id: string }).id };
  const ask = async (subject: string) =>
    expectStatus(201, await caller.post(`${pathOf(one)}/${subject}`, `ask-${phone}`)).body;
  if (kind === 'nothing') return one;
  if (kind === 'a link') {
    await ask('biometrics');
    return one;
  }
  if (kind === 'a question') {
    await ask('whatsapps/2fa');
    return { ...one, message: await person.waitForMessage(phone, 'whatsapp') };
  }
  const run = kind === 'a flow run' ? ((await ask('flows/sms-token')) as RunView) : await ask('sms/tokens');
  const message = await person.waitForMessage(phone, 'sms');
  if (kind === 'a flow run') return { ...one, message, runId: (run as RunView).runId };
  if (kind === 'a code after a wrong one') {
    const value = String((Number(readCode(message)) + 1) % 1_000_000).padStart(6, '0');
    const wrong = await caller.post(`${pathOf(one)}/sms/tokens/validate`, `wrong-${phone}`, { value });
    expectField(wrong.body, 'status', 'Invalid');
  }
  return { ...one, message };
}

/** Reads the transaction, and answers what it waits for. Throws if the result is not the expected one. */
export async function finishTransaction({ caller, person }: ChaosWorld, one: OpenTransaction): Promise<void> {
  const path = pathOf(one);
  const all = expectStatus(200, await caller.get(`${path}/all`)).body as Record<string, unknown>;
  expectField(all['transaction'], 'id', one.id);
  if (one.kind === 'a link') expectField(all['biometrics'], 'status', 'Waiting');
  if (!one.message) return;
  if (one.runId !== undefined) {
    const value = readCode(one.message);
    const run = `${path}/flows/runs/${one.runId}`;
    expectStatus(200, await caller.post(`${run}/answer`, `answer-${one.phone}`, { value }));
    return expectField((await caller.get(run)).body, 'outcome', 'Confirmed');
  }
  const confirmation: ConfirmationName = one.kind === 'a question' ? 'whatsapp-2fa' : 'sms-token';
  await confirmationActions[confirmation].answer({ caller, person, path, keySuffix: one.phone }, one.message);
}

function expectField(body: unknown, field: string, value: string): void {
  if ((body as Record<string, unknown> | undefined)?.[field] !== value)
    throw new Error(`expected ${field} ${value}: ${JSON.stringify(body)}`);
}
