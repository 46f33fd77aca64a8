import { type CodecPlan, runCodec } from './codec/run-codec';
import { type ConnectionsPlan, runConnections } from './connections/run-connections';
import { type FlowsPlan, runFlows } from './flows/run-flows';
import { interruptLinks, type LinksPlan, runLinks } from './links/run-links';
import { type NeighboursPlan, runNeighbours } from './neighbours/run-neighbours';
import { type PeersPlan, runPeers } from './peers/run-peers';
import { type PumpingPlan, runPumping } from './pumping/run-pumping';
import { type ReadsPlan, runReads } from './reads/run-reads';
import { type RecordsPlan, runRecords } from './records/run-records';
import { runScale, type ScalePlan } from './scale/run-scale';
import { runStarvation, type StarvationPlan } from './starvation/run-starvation';
import { runTelemetry, type TelemetryPlan } from './telemetry/run-telemetry';
import { runTenants, type TenantsPlan } from './tenants/run-tenants';
import { interruptTopology, runTopology, type TopologyMachine, type TopologyPlan } from './topology/run-topology';
import { runUploads, type UploadsPlan } from './uploads/run-uploads';
import { runVersions, type VersionsPlan } from './versions/run-versions';
import { runWaits, type WaitsPlan } from './waits/run-waits';
import { interruptStacks } from './worker/bench-stack';
import { runWorker, type WorkerPlan } from './worker/run-worker';

/** The default options of all benches. */
export const benchDefaults = {
  links: { small: 10_000, large: 1_000_000, rounds: 5 } satisfies LinksPlan,
  worker: { transactions: 6_000 } satisfies WorkerPlan,
  flows: { confirmations: 300 } satisfies FlowsPlan,
  starvation: { transactions: 100, sends: 300 } satisfies StarvationPlan,
  uploads: { uploads: 20, megabytes: 5, rounds: 5 } satisfies UploadsPlan,
  reads: { rounds: 20, transactions: 40 } satisfies ReadsPlan,
  codec: { rounds: 12, confirmations: 40 } satisfies CodecPlan,
  connections: { connections: 2_000, seconds: 20 } satisfies ConnectionsPlan,
  neighbours: { rounds: 4, times: 25 } satisfies NeighboursPlan,
  pumping: { requests: 100_000, phones: 500 } satisfies PumpingPlan,
  records: { transactions: 1_000_000, rounds: 10, retentionSeconds: 60 } satisfies RecordsPlan,
  tenants: { rounds: 5, seconds: 10, starts: 5 } satisfies TenantsPlan,
  waits: { callers: 1_000, seconds: 20 } satisfies WaitsPlan,
  telemetry: { pairs: 4, rounds: 6, transactions: 40 } satisfies TelemetryPlan,
  peers: { operations: 200, rounds: 3, kills: 10 } satisfies PeersPlan,
  scale: {
    ...{ small: 1_000, medium: 10_000, large: 50_000 },
    ...{ rounds: 5, calls: 60, idleSeconds: 30, expiries: 50_000 },
  } satisfies ScalePlan,
  topology: { rounds: 4, seconds: 30, workerShare: 12, apiShare: 8 } satisfies TopologyPlan,
  versions: { rounds: 12, transactions: 40 } satisfies VersionsPlan,
};

export type BenchName = keyof typeof benchDefaults;

/** What only one bench needs. */
interface BenchExtras {
  /** For `versions`: the folder of another version, already built. */
  otherCheckout?: string;
  /** For `topology`. */
  machine?: TopologyMachine;
}

/** Runs one bench. `numbers`: the values of its command-line options. Returns whether all limits hold. */
export function runBench(
  name: BenchName,
  numbers: Record<string, number>,
  output: NodeJS.WriteStream,
  { otherCheckout = '', machine }: BenchExtras = {},
): Promise<boolean> {
  if (name === 'links') return runLinks({ ...benchDefaults.links, ...numbers }, output);
  if (name === 'flows') return runFlows({ ...benchDefaults.flows, ...numbers }, output);
  if (name === 'starvation') return runStarvation({ ...benchDefaults.starvation, ...numbers }, output);
  if (name === 'uploads') return runUploads({ ...benchDefaults.uploads, ...numbers }, output);
  if (name === 'reads') return runReads({ ...benchDefaults.reads, ...numbers }, output);
  if (name === 'codec') return runCodec({ ...benchDefaults.codec, ...numbers }, output);
  if (name === 'connections') return runConnections({ ...benchDefaults.connections, ...numbers }, output);
  if (name === 'neighbours') return runNeighbours({ ...benchDefaults.neighbours, ...numbers }, output);
  if (name === 'pumping') return runPumping({ ...benchDefaults.pumping, ...numbers }, output);
  if (name === 'records') return runRecords({ ...benchDefaults.records, ...numbers }, output);
  if (name === 'tenants') return runTenants({ ...benchDefaults.tenants, ...numbers }, output);
  if (name === 'waits') return runWaits({ ...benchDefaults.waits, ...numbers }, output);
  if (name === 'telemetry') return runTelemetry({ ...benchDefaults.telemetry, ...numbers }, output);
  if (name === 'peers') return runPeers({ ...benchDefaults.peers, ...numbers }, output);
  if (name === 'scale') return runScale({ ...benchDefaults.scale, ...numbers }, output);
  if (name === 'topology') {
    if (!machine) throw new Error('The bench `topology` needs the programs of the cluster.');
    return runTopology({ ...benchDefaults.topology, ...numbers }, machine, output);
  }
  if (name === 'versions') return runVersions({ ...benchDefaults.versions, ...numbers }, otherCheckout, output);
  return runWorker({ ...benchDefaults.worker, ...numbers }, output);
}

/** Stops all processes of an interrupted bench. */
export async function interruptBench(): Promise<void> {
  await Promise.all([interruptLinks(), interruptStacks(), interruptTopology()]);
}
