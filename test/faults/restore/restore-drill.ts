import { setTimeout as sleep } from 'node:timers/promises';
import type { RestoreReport } from '../../../worker/backup/report';
import { answer, confirmPerson, erasePerson, openPerson, pathOf, type Person, startTraffic } from './persons';
import { checkReport, type Combination, type Drill } from './check-report';
import type { RestoreWorld } from './restore-world';

/** How many messages each phone has. */
async function countMessages(world: RestoreWorld): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { to } of await world.person.readMessages()) counts.set(to, (counts.get(to) ?? 0) + 1);
  return counts;
}

/** The type and time of each event of the persons who can be read, by the id of the event. */
async function readEvents(world: RestoreWorld, persons: readonly Person[]): Promise<Map<string, string>> {
  const events = new Map<string, string>();
  for (const one of persons) {
    const { status, body } = await world.caller.get(`/v1/transactions/${one.id}/events`);
    if (status !== 200) continue;
    const { events: found } = body as { events: { id: string; type: string; at: string }[] };
    for (const { id, type, at } of found) events.set(id, `${type} at ${at}`);
  }
  if (events.size === 0) throw new Error('Nobody has events.');
  return events;
}

/** Ids of events that callers know as other events, so they drop the new ones. */
async function findReusedIds(world: RestoreWorld, { events, persons }: Drill): Promise<string[]> {
  const now = await readEvents(world, persons);
  return [...now].flatMap(([id, event]) => {
    const earlier = events.get(id) ?? event;
    return earlier === event ? [] : [`the event ${id} was ${earlier}, and is now ${event}`];
  });
}

/**
 * Runs traffic, takes backup A and a copy of Temporal, goes on, takes backup B, goes on, and stops the service. In each phase, codes are open
 * that are used, erased or left alone later.
 */
export async function runDrill(
  world: RestoreWorld,
  { phaseMs, lanes }: { phaseMs: number; lanes: number },
): Promise<Drill> {
  const open = async () => ({
    left: await Promise.all([openPerson(world, 'code'), openPerson(world, 'question'), openPerson(world, 'run')]),
    used: await Promise.all([openPerson(world, 'code'), openPerson(world, 'question')]),
    erased: await Promise.all([openPerson(world, 'code'), openPerson(world, 'nothing')]),
  });
  const finish = async (group: Awaited<ReturnType<typeof open>>) => [
    ...group.left,
    ...(await Promise.all(group.used.map((one) => confirmPerson(world, one)))),
    ...(await Promise.all(group.erased.map((one) => erasePerson(world, one)))),
  ];
  const [usedBetween, usedLate] = [await open(), await open()];
  const traffic = startTraffic(world, lanes);
  await sleep(phaseMs);
  const { id: A, output } = await world.backUp();
  const copiedA = await world.saveTemporal('A');
  const between = await finish(usedBetween);
  const openBetween = await open();
  await sleep(phaseMs);
  const { id: B } = await world.backUp();
  const late = [...(await finish(usedLate)), ...(await finish(openBetween))];
  await sleep(phaseMs);
  const trafficPersons = await traffic.stop();
  // The callbacks of the last messages arrive.
  await sleep(2_000);
  const persons = [...between, ...late, ...trafficPersons];
  const events = await readEvents(world, persons);
  await world.stopService();
  const copiedNewer = await world.saveTemporal('newer');
  return {
    output,
    backups: { A, B },
    copied: { A: copiedA, newer: copiedNewer },
    persons,
    messages: await countMessages(world),
    events,
  };
}

/** What a combination showed. Lists have texts about what is wrong. */
export interface Outcome {
  report: RestoreReport;
  output: string;
  /** Persons whose answer from before the restore was accepted. */
  accepted: number;
  /** Persons whose answer was accepted before the restore and again after it. */
  acceptedTwice: number;
  /** Messages that nobody asked for after the restore. */
  messagesTwice: number;
  /** Persons who asked for a new code after the restore, and were confirmed. */
  finished: number;
  readable: number;
  wrongReport: string[];
  failures: string[];
}

/** Longer than a worker needs to resume what is due: it looks every 15 s for what has been due for 15 s. */
const resumeMs = 35_000;
/** How many persons ask for a new code. */
const newCodes = 6;

/** Restores a combination, lets the service run, and lets every person answer again. */
export async function restoreCombination(
  world: RestoreWorld,
  drill: Drill,
  { main, keys, temporal }: Combination,
  waitMs = resumeMs,
): Promise<Outcome> {
  const { persons } = drill;
  await world.loadTemporal(temporal);
  const before = await countMessages(world);
  const { report, output } = await world.restoreParts(drill.backups[main], drill.backups[keys]);
  await world.startService();
  const failures: string[] = [];
  await sleep(waitMs);
  const responses = await Promise.all(
    persons.map(async (one) => ({
      one,
      read: await world.caller.get(`${pathOf(one)}/all`),
      again: one.message?.channel === 'sms' ? await answer(world, one, `again-${main}${keys}${temporal}`) : undefined,
    })),
  );
  const accepted = responses.filter(
    ({ again }) => (again?.body as { status?: string } | undefined)?.status === 'Valid',
  );
  for (const { one, read } of responses)
    if (one.erased && read.status === 200) failures.push(`${one.id} is erased, but readable`);
  const after = await countMessages(world);
  const messagesTwice = [...after].reduce((sum, [phone, count]) => sum + count - (before.get(phone) ?? 0), 0);
  const readable = responses.filter(({ read }) => read.status === 200).map(({ one }) => one);
  const finished = await askAgain(world, readable.slice(-newCodes), `${main}${keys}${temporal}`, failures);
  failures.push(...(await findReusedIds(world, drill)));
  await world.stopService();
  return {
    report,
    output,
    accepted: accepted.length,
    acceptedTwice: accepted.filter(({ one }) => one.answered).length,
    messagesTwice,
    finished,
    readable: readable.length,
    wrongReport: checkReport(drill, { main, keys, temporal }, report),
    failures,
  };
}

/** Persons ask for a new code, and type it. Returns how many were confirmed. */
async function askAgain(
  world: RestoreWorld,
  persons: readonly Person[],
  key: string,
  failures: string[],
): Promise<number> {
  let finished = 0;
  for (const one of persons) {
    const earlier = (await world.person.readMessages()).filter(({ to }) => to === one.phone);
    const asked = await world.caller.post(`${pathOf(one)}/sms/tokens`, `new-${key}-${one.phone}`);
    const messages = (await world.person.readMessages()).filter(({ to }) => to === one.phone);
    const message = messages.find(({ id }) => earlier.every((other) => other.id !== id));
    if (asked.status !== 201 || !message || messages.length !== earlier.length + 1) {
      // The pause between two messages, and the limits of a phone, are not over for everybody.
      if (asked.status !== 429) failures.push(`${one.id} asked for a new code: ${JSON.stringify(asked)}`);
      continue;
    }
    const { body } = await answer(world, { ...one, message, runId: undefined }, `typed-${key}`);
    if ((body as { status?: string }).status === 'Valid') finished += 1;
    else failures.push(`${one.id} typed a new code: ${JSON.stringify(body)}`);
  }
  return finished;
}
