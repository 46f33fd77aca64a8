import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type InboxMessage, readCode } from '../inbox-person';
import { type ApiResponse, expectStatus } from '../retrying-caller';
import type { RestoreWorld } from './restore-world';

/** When something certainly had not begun, and when it was certainly done, in milliseconds. */
export type Span = readonly [from: number, to: number];

/** A person, and what callers were told about them. A time that is absent has not happened. */
export interface Person {
  id: string;
  phone: string;
  created: Span;
  /** The last change that a caller knows of. */
  changed: Span;
  asked?: Span;
  message?: InboxMessage;
  runId?: string | undefined;
  /** The answer that confirmed the person. */
  answered?: Span;
  erased?: Span;
}

export const pathOf = ({ id }: Pick<Person, 'id'>): string => `/v1/transaction/${id}`;

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; span: Span }> {
  const from = Date.now();
  const result = await work();
  return { result, span: [from, Date.now()] };
}

/** How a person is asked. A flow run asks for a code by SMS. */
export type Kind = 'code' | 'question' | 'run' | 'nothing';

const subjects: Record<Exclude<Kind, 'nothing'>, string> = {
  code: 'sms/tokens',
  question: 'whatsapps/2fa',
  run: 'flows/sms-token',
};

/** A reply that arrives while Temporal restarts is applied after a pause. */
const answerWithinMs = 90_000;

let phoneCount = randomInt(1_000);

/** Creates a transaction, and asks the person. Each change is known to the caller before the next one begins. */
export async function openPerson(world: RestoreWorld, kind: Kind): Promise<Person> {
  const { caller, person } = world;
  phoneCount += 1;
  // Consecutive numbers have different prefixes: the service blocks a prefix if nobody answers its messages.
  const number = 900_000_000 + ((phoneCount * 10_007) % 99_999_999);
  const phone = `+5511${number}`;
  const input = { documentType: 'CPF', document: '52998224725', phone: { countryCode: 55, areaCode: 11, number } };
  const created = await timed(() => caller.post('/v1/transaction', `create-${phone}`, input));
  const { id } = expectStatus(201, created.result).body as { id: string };
  const one: Person = { id, phone, created: created.span, changed: created.span };
  if (kind === 'nothing') return one;
  const asked = await timed(() => caller.post(`${pathOf(one)}/${subjects[kind]}`, `ask-${phone}`));
  const body = expectStatus(201, asked.result).body as { runId?: string };
  const message = await person.waitForMessage(phone, kind === 'question' ? 'whatsapp' : 'sms');
  const changed: Span = [asked.span[0], Date.now()];
  return { ...one, asked: asked.span, changed, message, ...(kind === 'run' && { runId: body.runId ?? '' }) };
}

/** Types the right code, or presses "yes". Returns the response; for a question, that of the status once it is known. */
export async function answer(world: RestoreWorld, one: Person, key = 'answer'): Promise<ApiResponse> {
  const { caller, person } = world;
  if (!one.message) throw new Error(`${one.id} was not asked.`);
  if (one.message.channel === 'sms') {
    const path = one.runId === undefined ? 'sms/tokens/validate' : `flows/runs/${one.runId}/answer`;
    return caller.post(`${pathOf(one)}/${path}`, `${key}-${one.phone}`, { value: readCode(one.message) });
  }
  await person.pressButton(one.message, 1);
  for (const deadline = Date.now() + answerWithinMs; ; await sleep(200)) {
    const response = await caller.get(`${pathOf(one)}/whatsapps/2fa`);
    const [newest] = (response.body ?? []) as { status?: string }[];
    const isAnswered = newest?.status === 'Replied';
    if (isAnswered || Date.now() > deadline)
      return { status: response.status, body: { status: isAnswered ? 'Valid' : newest?.status } };
  }
}

/** The person answers, and is confirmed. */
export async function confirmPerson(world: RestoreWorld, one: Person): Promise<Person> {
  const answered = await timed(() => answer(world, one));
  if ((answered.result.body as { status?: string }).status !== 'Valid')
    throw new Error(`${one.id} was not confirmed: ${JSON.stringify(answered.result)}`);
  return { ...one, answered: answered.span, changed: answered.span };
}

export async function erasePerson(world: RestoreWorld, one: Person): Promise<Person> {
  const erased = await timed(() => world.caller.delete(pathOf(one), `erase-${one.phone}`));
  expectStatus(200, erased.result);
  return { ...one, erased: erased.span, changed: erased.span };
}

/** Persons who come, answer, and are sometimes erased, until `stop` is called. */
export function startTraffic(world: RestoreWorld, lanes: number): { stop: () => Promise<Person[]> } {
  const persons: Person[] = [];
  const failures: unknown[] = [];
  const stopping = new AbortController();
  const kinds: readonly Kind[] = ['code', 'question', 'run', 'code'];
  const lane = async () => {
    while (!stopping.signal.aborted) {
      const index = persons.length;
      let one = await openPerson(world, kinds[index % kinds.length] ?? 'code');
      const slot = persons.push(one) - 1;
      // Two of three answer.
      if (index % 3 < 2) one = persons[slot] = await confirmPerson(world, one);
      if (index % 5 === 4) persons[slot] = await erasePerson(world, one);
    }
  };
  const running = Array.from({ length: lanes }, () => lane().catch((error: unknown) => failures.push(error)));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
      if (failures.length > 0) throw failures[0];
      return persons;
    },
  };
}
