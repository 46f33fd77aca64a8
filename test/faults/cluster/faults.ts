import type { Cluster } from './cluster';
import { apis, type Link, links, temporalNames, workers } from './layout';
import type { Random } from './random';

/** What a fault hits. Two faults at the same time hit different areas, so that each can heal on its own. */
type Area = 'workers' | 'API' | 'Temporal' | 'Postgres' | 'network' | 'disks' | 'provider';

/** Ends a fault. Resolves when the cause is gone, before the service has recovered. */
type Heal = () => Promise<void> | void;

export interface FaultKind {
  kind: string;
  area: Area;
  /** How long the fault lasts, in seconds. 0: it is over at once, such as the kill of a process that is started again. */
  seconds: number;
  inject: (cluster: Cluster, random: Random) => Promise<Heal | void>;
}

/** Long enough for a lease, a heartbeat or a health check to expire. */
const freezeSeconds = 20;
const outageSeconds = 30;
/** Longer than the time for which Twilio accepts the signature of a webhook, and than most tolerances of tokens. */
const clockStepSeconds = 300;

/** Two processes of the same role, of which a fault hits one. */
const histories = ['history-1', 'history-2'] as const;
const frontends = ['frontend-1', 'frontend-2'] as const;
const matchings = ['matching-1', 'matching-2'] as const;

/** A process is killed, and starts again at once. */
function kill(kind: string, area: Area, names: readonly string[], signal: NodeJS.Signals = 'SIGKILL'): FaultKind {
  return {
    kind,
    area,
    seconds: 0,
    inject: async (cluster, random) => cluster.signal(random.pick(names), signal),
  };
}

/** A process is stopped as by a deployment, and starts again when it has ended. */
function stop(kind: string, area: Area, names: readonly string[]): FaultKind {
  return {
    kind,
    area,
    seconds: 0,
    inject: async (cluster, random) => {
      const name = random.pick(names);
      await cluster.stop([name]);
      return () => cluster.startAgain([name]);
    },
  };
}

/** A process stands still, but its connections stay open. */
function freeze(kind: string, area: Area, names: readonly string[]): FaultKind {
  return {
    kind,
    area,
    seconds: freezeSeconds,
    inject: async (cluster, random) => {
      const name = random.pick(names);
      cluster.signal(name, 'SIGSTOP');
      return () => cluster.signal(name, 'SIGCONT');
    },
  };
}

function outage(kind: string, area: Area, names: readonly string[]): FaultKind {
  return {
    kind,
    area,
    seconds: outageSeconds,
    inject: async (cluster) => {
      await cluster.stop(names);
      return () => cluster.startAgain(names);
    },
  };
}

/** `name`: one of `clockSteppers`. */
function stepClock(kind: string, area: Area, name: string, seconds: number): FaultKind {
  return {
    kind,
    area,
    seconds: freezeSeconds,
    inject: async ({ clocks }) => {
      clocks.set(name, seconds);
      return () => clocks.set(name, 0);
    },
  };
}

function network(
  kind: string,
  choose: (random: Random) => readonly Link[],
  inject: (cluster: Cluster, chosen: readonly Link[]) => Promise<void>,
): FaultKind {
  return {
    kind,
    area: 'network',
    seconds: freezeSeconds,
    inject: async (cluster, random) => {
      const chosen = choose(random);
      await inject(cluster, chosen);
      return () => cluster.network.heal(chosen);
    },
  };
}

type PlannedFailure = Parameters<Cluster['person']['planFailures']>[0][number];

function provider(kind: string, failures: readonly PlannedFailure[]): FaultKind {
  return {
    kind,
    area: 'provider',
    seconds: freezeSeconds,
    inject: async ({ person }) => {
      // Until the fault heals, each message fails.
      await person.planFailures(failures.map((failure) => ({ ...failure, times: 1_000_000 })));
      return () => person.planFailures([]);
    },
  };
}

const phones = (failure: Omit<PlannedFailure, 'channel'>): PlannedFailure[] => [
  { channel: 'sms', ...failure },
  { channel: 'whatsapp', ...failure },
];
const linksTo = (server: 'postgres' | 'temporal') => links.filter((link) => link.endsWith(`-${server}`));

/** Every kind of fault. */
export const faultKinds: readonly FaultKind[] = [
  kill('worker kill', 'workers', workers),
  stop('worker stop', 'workers', workers),
  {
    kind: 'all workers kill',
    area: 'workers',
    seconds: 0,
    // Three times, so that most workers are killed before they are ready.
    inject: async (cluster) => {
      for (let round = 0; round < 3; round += 1) {
        for (const name of workers) cluster.signal(name, 'SIGKILL');
        await new Promise((resolve) => setTimeout(resolve, 2_000));
      }
    },
  },
  freeze('worker freeze', 'workers', workers),
  stepClock('worker clock +5 min', 'workers', 'worker-3', clockStepSeconds),
  stepClock('worker clock -5 min', 'workers', 'worker-3', -clockStepSeconds),
  kill('API kill', 'API', apis),
  stop('API stop', 'API', apis),
  freeze('API freeze', 'API', apis),
  stepClock('API clock +5 min', 'API', 'api-2', clockStepSeconds),
  kill('history kill', 'Temporal', histories),
  stop('history stop', 'Temporal', histories),
  freeze('history freeze', 'Temporal', histories),
  kill('frontend kill', 'Temporal', frontends),
  freeze('frontend freeze', 'Temporal', frontends),
  kill('matching kill', 'Temporal', matchings),
  freeze('matching freeze', 'Temporal', matchings),
  outage('Temporal down', 'Temporal', temporalNames),
  kill('Postgres crash', 'Postgres', ['postgres'], 'SIGQUIT'),
  outage('Postgres down', 'Postgres', ['postgres']),
  network(
    'Postgres slow',
    () => linksTo('postgres'),
    ({ network: net }, chosen) => net.slowDown(chosen, 25, 15),
  ),
  network(
    'Postgres cut',
    (random) => [`${random.pick([...workers, ...apis])}-postgres`],
    ({ network: net }, chosen) => net.cut(chosen),
  ),
  network(
    'Temporal slow',
    () => linksTo('temporal'),
    ({ network: net }, chosen) => net.slowDown(chosen, 100, 50),
  ),
  network(
    'Temporal cut',
    (random) => [`${random.pick([...workers, ...apis])}-temporal`],
    ({ network: net }, chosen) => net.cut(chosen),
  ),
  {
    kind: 'images disk full',
    area: 'disks',
    seconds: freezeSeconds,
    inject: async ({ imagesDisk }) => {
      imagesDisk.fill();
      return () => imagesDisk.clear();
    },
  },
  {
    kind: 'Postgres disk full',
    area: 'Postgres',
    seconds: freezeSeconds,
    inject: async ({ logDisk, writeLog }) => {
      logDisk.fill();
      // Segments of the log that Postgres has prepared would last for a while.
      await writeLog();
      return () => logDisk.clear();
    },
  },
  provider('provider hangs', phones({ kind: 'timeout' })),
  provider('provider loses answers', phones({ kind: 'acceptThenHang' })),
  provider('provider 500', phones({ kind: 'status', status: 500 })),
  provider('mail server resets', [{ channel: 'email', kind: 'reset' }]),
];
