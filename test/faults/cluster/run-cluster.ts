import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectStatus } from '../retrying-caller';
import { fullFlow } from '../full-flow';
import { showProgress } from '../progress';
import { tenant } from '../chaos-world';
import { requestToken } from '../../../dev/stack/request-token';
import { clockSteppers, Cluster, type Programs } from './cluster';
import { faultKinds } from './faults';
import { apis } from './layout';
import { shortFlow } from './persons';
import { Probes } from './probes';
import { createRandom } from './random';
import { formatTable, formatVerification } from './report';
import { type FaultRecord, planFaults, runRound } from './schedule';
import { Traffic } from './traffic';
import { verify } from './verify';
import { WebhookReceiver } from './webhook-receiver';

export interface ClusterPlan {
  persons: number;
  faults: number;
  seed: number;
  /** The only kind of faults. */
  only: string | undefined;
  /** Whether the cluster keeps running after the report. */
  keep: boolean;
  root: string;
  /** For the data and the logs. */
  dataDir: string;
}

/** The names of all kinds of faults, for the usage. */
export const kindNames = faultKinds.map(({ kind }) => kind);

let running: Cluster | undefined;

const ending = new AbortController();

/** Ends the run early: starts no more faults and persons, and reports on those that it had. */
export const endEarly = (): void => ending.abort();

/** Stops the cluster that runs. */
export async function interruptCluster(): Promise<void> {
  await running?.end();
}

/** Saves the flows and the webhook of the caller. */
async function prepareTenant({ caller }: Cluster, receiver: WebhookReceiver): Promise<void> {
  const { name, title, start, steps } = fullFlow;
  for (const flow of [{ name, title, start, steps }, shortFlow]) {
    const { name: flowName, ...definition } = flow;
    expectStatus(201, await caller.put(`/v1/flows/${flowName}`, `put-${flowName}`, definition));
    expectStatus(200, await caller.post(`/v1/flows/${flowName}/activate`, `activate-${flowName}`, { version: 1 }));
  }
  const created = expectStatus(201, await caller.post('/v1/webhooks', 'webhook', { url: receiver.url }));
  receiver.secret = (created.body as { secret: string }).secret;
}

/**
 * Runs the production topology on this machine, injects faults under traffic, and verifies from outside that nothing was lost or doubled.
 * Returns whether this is so, and the service recovered from every fault.
 */
export async function runCluster(plan: ClusterPlan, programs: Programs, output: NodeJS.WriteStream): Promise<boolean> {
  const { persons, seed, dataDir, root } = plan;
  const print = (line: string) => void output.write(`${line}\n`);
  // The restarts of processes are expected: only their logs tell of them.
  const log: string[] = [];
  const note = (line: string) => {
    log.push(`${new Date().toISOString()} ${line}`);
    writeFileSync(join(dataDir, 'chaos.log'), `${log.join('\n')}\n`);
  };
  print(`Starting the cluster. Seed ${seed}. Data and logs: ${dataDir}`);
  const cluster = await Cluster.create({
    ...{ root, dataDir, programs, persons, seed, print: note },
    ...{ apis, clockSteppers },
  });
  running = cluster;
  const receiver = await WebhookReceiver.open();
  try {
    await cluster.start();
    await prepareTenant(cluster, receiver);
    const records = await runFaults(cluster, plan, output, note);
    print('Verifying …');
    const verification = await verify(cluster, records.traffic.persons, records.probes.phones, receiver);
    print(`\n${formatTable(records.faults, verification.findings)}\n`);
    print(
      `persons: ${records.traffic.finished}   seed: ${seed}   normal time of four parallel probes: ${(records.probes.normalMs / 1_000).toFixed(1)} s`,
    );
    print(formatVerification(verification, records.faults));
    const isGood =
      verification.findings.length === 0 && records.faults.every(({ recoveryMs }) => recoveryMs !== undefined);
    print(
      isGood ? 'Nothing was lost, nothing was doubled.' : `FAILED: see the lines above, and the logs in ${dataDir}`,
    );
    if (plan.keep) await keepRunning(cluster, print);
    return isGood;
  } finally {
    await cluster.end();
    await receiver.close();
  }
}

/** Runs all persons and all faults. */
async function runFaults(
  cluster: Cluster,
  plan: ClusterPlan,
  output: NodeJS.WriteStream,
  note: (line: string) => void,
): Promise<{ faults: FaultRecord[]; traffic: Traffic; probes: Probes }> {
  const random = createRandom(plan.seed);
  const rounds = planFaults(random, plan.faults, plan.only);
  // Persons and probes have random numbers of their own, so that their order does not change the faults.
  const [ofPersons, ofProbes] = [createRandom(plan.seed + 1), createRandom(plan.seed + 2)];
  const token = await requestToken({ dataDir: plan.dataDir, port: cluster.ports.api, tenant });
  const probes = new Probes(cluster, token, ofProbes);
  const faults: FaultRecord[] = [];
  const onProgress = showProgress(output, ['persons', 'faults']);
  let name = 'before the faults';
  const report = () =>
    onProgress({ name, confirmations: [traffic.finished, plan.persons], kills: [faults.length, plan.faults] });
  const traffic = new Traffic(cluster, ofPersons, plan.persons, report, ending.signal);
  const share = (index: number) => index / (rounds.length + 1);
  traffic.allow(share(1));
  await traffic.start();
  await probes.calibrate();
  for (const [index, round] of rounds.entries()) {
    // Spreads the faults evenly over the persons.
    await traffic.waitFor(share(index));
    if (ending.signal.aborted) break;
    name = round.map(({ kind }) => kind).join(' + ');
    report();
    note(`fault: ${name}`);
    const records = await runRound(round, {
      ...{ cluster, probes, random },
      allowPersons: (part) => traffic.allow(share(index + 1 + part)),
    });
    note(`recovered from ${name}: ${JSON.stringify(records)}`);
    faults.push(...records);
  }
  name = 'after the faults';
  await traffic.end();
  report();
  return { faults, traffic, probes };
}

async function keepRunning({ stack, ports }: Cluster, print: (line: string) => void): Promise<never> {
  const { api, inbox, temporal } = stack.addresses;
  print(
    `The cluster keeps running until Ctrl-C. API ${api}, inbox ${inbox}, Temporal ${temporal}, toxiproxy ${ports.toxiproxy}`,
  );
  return new Promise(() => undefined);
}
