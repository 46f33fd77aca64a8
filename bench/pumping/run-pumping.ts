import { Semaphore } from 'async-mutex';
import { startProgressBar } from '../report/progress';
import { formatNumber, formatTable } from '../report/table';
import { createRandom } from '../population/random';
import { pricePerSegment, type SendingWorld, startSendingWorld } from './sending-world';

/**
 * The options of the bench `pumping`. SMS pumping is an attack: the attackers request many messages to phones, and get money for each
 * message.
 */
export interface PumpingPlan {
  /** Number of messages that the attackers request in the first attack, over all tenants. */
  requests: number;
  /** Number of persons whom the second attack tries to lock out. Each has one phone. */
  phones: number;
}

const tenants = ['one', 'two', 'three'] as const;
/** Number of phone prefixes to which the attackers request messages. A prefix is the first digits of a phone. */
const prefixes = 500;
/** Number of attack requests for each request of a real person. */
const attacksPerPerson = 20;
/** The share of real persons who use their code. */
const answerRate = 0.7;
const concurrency = 8;
/** The lowest accepted share of real persons who get their code (first attack), or who can confirm (second attack). */
const successMin = 0.99;

/** Area codes of Brazilian states, from which the persons come. */
const areaCodes = [11, 19, 21, 27, 31, 41, 48, 51, 61, 62, 71, 81, 85, 91];

interface Tally {
  requests: number;
  /** Requests for which a message was sent. */
  sent: number;
}

const newTallies = () => new Map<string, Tally>(tenants.map((tenant) => [tenant, { requests: 0, sent: 0 }]));

/** Counts one request of a tenant. `sent`: whether a message was sent for it. */
function count(tallies: Map<string, Tally>, tenant: string, sent: boolean): void {
  const tally = tallies.get(tenant);
  if (!tally) return;
  tally.requests += 1;
  tally.sent += Number(sent);
}

const shareOf = ({ requests, sent }: Tally) => (requests === 0 ? 0 : sent / requests);

/**
 * Simulates two attacks on the part of the service that sends messages. In the first attack, attackers request many messages to some phone
 * prefixes. The attackers get a part of the price of each message. In the second attack, one tenant uses up its messages and attempts for
 * many phones, to lock out the persons of another tenant. Prints what was sent. Returns whether enough real persons got their code during
 * the first attack, and could confirm after the second attack.
 */
export async function runPumping(plan: PumpingPlan, output: NodeJS.WriteStream): Promise<boolean> {
  const world = await startSendingWorld(concurrency);
  try {
    const pumped = await simulatePumping(world, plan.requests, output);
    return (await simulateLockOut(world, plan.phones, output)) && pumped;
  } finally {
    await world.stop();
  }
}

/** Attackers request messages to many phones of few prefixes. Among these requests are requests of real persons. */
async function simulatePumping(world: SendingWorld, requests: number, output: NodeJS.WriteStream): Promise<boolean> {
  const random = createRandom('pumping');
  const [attacks, persons] = [newTallies(), newTallies()];
  const updateProgress = startProgressBar(output, 'Attacked', requests);
  const slots = new Semaphore(concurrency);
  const digits = (value: number, length: number) => String(value).padStart(length, '0');
  const attack = async (index: number) => {
    const tenant = tenants[index % tenants.length] ?? 'one';
    const prefix = 1_000 + (Math.floor(index / tenants.length) % prefixes);
    const phone = `+55929${prefix}${digits(random.int(10_000), 4)}`;
    count(attacks, tenant, (await world.send(tenant, phone)) !== undefined);
  };
  const serve = async (index: number) => {
    const tenant = tenants[index % tenants.length] ?? 'one';
    const areaCode = areaCodes[random.int(areaCodes.length)];
    const phone = `+55${areaCode}9${digits(random.int(100_000_000), 8)}`;
    const transactionId = await world.send(tenant, phone);
    count(persons, tenant, transactionId !== undefined);
    if (transactionId !== undefined && random.chance(answerRate)) await world.answer(tenant, transactionId);
  };
  let done = 0;
  await Promise.all(
    Array.from({ length: requests }, (_, index) =>
      slots.runExclusive(async () => {
        await attack(index);
        if (index % attacksPerPerson === 0) await serve(index / attacksPerPerson);
        updateProgress((done += 1));
      }),
    ),
  );
  const rows = tenants.map((tenant) => {
    const [attacked, served] = [attacks.get(tenant), persons.get(tenant)] as [Tally, Tally];
    return [
      tenant,
      formatNumber(attacked.requests, 0),
      formatNumber(attacked.sent, 0),
      formatNumber((attacked.sent + served.sent) * pricePerSegment, 0),
      formatNumber(served.requests, 0),
      `${formatNumber(100 * shareOf(served), 2)} %`,
    ];
  });
  const header = ['tenant', 'attack requests', 'sent', 'total spend', 'persons', 'served'];
  output.write(`\n${formatTable(header, rows)}\n`);
  const passed = [...persons.values()].every((served) => shareOf(served) >= successMin);
  output.write(`${passed ? 'passed' : 'FAILED'}  persons of each tenant are served: at least ${100 * successMin} %\n`);
  return passed;
}

/**
 * For each phone, the attacking tenant uses up its messages and attempts. Then another tenant sends a code to the same phone, and checks
 * the correct code.
 */
async function simulateLockOut(world: SendingWorld, phones: number, output: NodeJS.WriteStream): Promise<boolean> {
  const updateProgress = startProgressBar(output, 'Locked out', phones);
  const slots = new Semaphore(concurrency);
  let [done, confirmed] = [0, 0];
  await Promise.all(
    Array.from({ length: phones }, (_, index) =>
      slots.runExclusive(async () => {
        const phone = `+55119${String(20_000_000 + index * 10_007)}`;
        for (let sent = 0; sent < 8; sent += 1) await world.send('attacker', phone);
        for (let guess = 0; guess < 25; guess += 1) await world.attempt('attacker', phone, false);
        const isSent = (await world.send('honest', phone)) !== undefined;
        if (isSent && (await world.attempt('honest', phone, true))) confirmed += 1;
        updateProgress((done += 1));
      }),
    ),
  );
  const passed = confirmed >= successMin * phones;
  output.write(
    `\n${formatNumber(confirmed, 0)} of ${formatNumber(phones, 0)} persons of another tenant confirmed after the attack\n`,
  );
  output.write(`${passed ? 'passed' : 'FAILED'}  persons of other tenants confirm: at least ${100 * successMin} %\n`);
  return passed;
}
