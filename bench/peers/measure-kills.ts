import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { startProgressBar } from '../report/progress';
import { PeersWorld } from './peers-world';
import type { SideCaller, SideTransaction } from './side-caller';
import { definitionOf, type SideName, sideNames } from './sides';
import { providerLatencyMs, type SlowProvider, startSlowProvider } from './slow-provider';

/** Sends of each side for each kill. Each transaction has one send. No caller repeats a send. */
const sendsPerKill = 10;
/** Sends at the same time. */
const concurrency = 5;
/** A side has recovered if no message has arrived for this long. All sides notice a dead process after 10 s, and then repeat its sends. */
const quietMs = 25_000;
/** Recovery takes no longer than this, even if several kills hit one send. */
const recoveryMaxMs = 180_000;

/** What the persons and the callers of one side saw after the kills. */
export interface KillFigures {
  side: SideName;
  kills: number;
  sends: number;
  /** The side has recorded the send, and the person got no message. */
  lost: number;
  /** The person got the code more than once. */
  doubled: number;
  /** The person got the message, and the side does not know that it was sent. */
  unrecorded: number;
  /** The person got the message, and the caller got an error or no response. */
  unanswered: number;
}

/** What a side knows of the send of one transaction. */
interface KnownSend {
  isRecorded: boolean;
  isSent: boolean;
}

/** Reads what a side knows, through its API. */
async function readKnownSend(name: SideName, caller: SideCaller, transaction: SideTransaction): Promise<KnownSend> {
  if (name !== 'countersign') {
    const operation = definitionOf(name).operations.includes('query') ? 'query' : 'record';
    const { messages } = (await caller.read(transaction, operation)) as {
      messages: { status: string }[] | null;
    };
    return {
      isRecorded: (messages ?? []).length > 0,
      isSent: (messages ?? []).some(({ status }) => status === 'sent'),
    };
  }
  const { body: all } = await caller.get(`/v1/transaction/${transaction.id}/all`);
  const { body: list } = await caller.get(`/v1/transactions/${transaction.id}/events`);
  const events = (list['events'] ?? []) as { type: string }[];
  return {
    isRecorded: all['smsToken'] !== undefined,
    isSent: events.some(({ type }) => type === 'confirmation.sent'),
  };
}

/** How many messages each phone got, from the inbox. */
async function countMessages(world: PeersWorld): Promise<Map<string, number>> {
  const response = await request(`${world.inboxAddress}/api/messages?channel=sms`);
  const counts = new Map<string, number>();
  for (const { to } of (await response.body.json()) as { to: string }[]) counts.set(to, (counts.get(to) ?? 0) + 1);
  return counts;
}

/** Sends messages while the sending process of a side is killed `kills` times, each time while a message is in flight. */
async function killDuringSends(
  name: SideName,
  kills: number,
  world: PeersWorld,
  provider: SlowProvider,
  output: NodeJS.WriteStream,
): Promise<KillFigures> {
  const caller = await world.startSide(name);
  const { title, sender } = definitionOf(name);
  const transactions: SideTransaction[] = [];
  const sends = kills * sendsPerKill;
  while (transactions.length < sends) transactions.push(await caller.create());

  let done = 0;
  let killed = 0;
  let restart: Promise<void> | undefined;
  let quietSince = Date.now();
  const firstArrival = provider.arrivals;
  provider.onArrival = () => {
    quietSince = Date.now();
    // Spreads the kills evenly over the sends.
    const isDue = provider.arrivals - firstArrival > (killed + 0.5) * sendsPerKill;
    if (!isDue || killed >= kills || restart) return;
    killed += 1;
    restart = sleep(Math.random() * providerLatencyMs)
      .then(() => world.killSender(name))
      .finally(() => (restart = undefined));
  };
  const updateProgress = startProgressBar(output, `Killed ${title}`, sends);
  const statuses = new Map<string, number>();
  const remaining = [...transactions];
  const sendRemaining = async () => {
    for (let next = remaining.shift(); next; next = remaining.shift()) {
      // A caller cannot connect to an API that is down, so it waits. An API whose worker is down takes requests.
      if (sender === 'api') await restart;
      // The last sends wait for a restart, so that each side gets all kills.
      if (remaining.length < sendsPerKill && killed < kills) await restart;
      statuses.set(next.id, (await caller.tryCall('send', next.id)).status);
      updateProgress((done += 1));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sendRemaining));
  await restart;
  const deadline = Date.now() + recoveryMaxMs;
  quietSince = Date.now();
  while (Date.now() - quietSince < quietMs && Date.now() < deadline) await sleep(200);
  provider.onArrival = () => undefined;

  const messages = await countMessages(world);
  const figures: KillFigures = { side: name, kills: killed, sends, lost: 0, doubled: 0, unrecorded: 0, unanswered: 0 };
  for (const transaction of transactions) {
    const received = messages.get(transaction.phone) ?? 0;
    const { isRecorded, isSent } = await readKnownSend(name, caller, transaction);
    const status = statuses.get(transaction.id) ?? 0;
    if (isRecorded && received === 0) figures.lost += 1;
    if (received > 1) figures.doubled += 1;
    if (received > 0 && !isSent) figures.unrecorded += 1;
    if (received > 0 && (status < 200 || status > 299)) figures.unanswered += 1;
  }
  await world.stopSide(name);
  return figures;
}

/** Kills the sending process of each side `kills` times, during ten times as many sends. Counts from outside: at the provider, and through the API. */
export async function measureKills(kills: number, output: NodeJS.WriteStream): Promise<KillFigures[]> {
  const provider = await startSlowProvider();
  try {
    const world = await PeersWorld.start(provider.address);
    try {
      provider.forwardTo(world.inboxAddress);
      const figures: KillFigures[] = [];
      for (const name of sideNames)
        if (definitionOf(name).sender) figures.push(await killDuringSends(name, kills, world, provider, output));
      return figures;
    } finally {
      await world.stop();
    }
  } finally {
    provider.close();
  }
}
