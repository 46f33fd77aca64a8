import { Client } from 'pg';
import { saveOutput } from '../report/save-output';
import { drawPeers } from './draw-peers';
import { measureKills } from './measure-kills';
import { measureRounds } from './measure-rounds';
import { measureWrites } from './measure-writes';
import { formatPeers, type PeersResult } from './peers-report';
import { PeersWorld } from './peers-world';
import type { RunningSide } from './run-operation';
import { sideNames } from './sides';

/** The options of the bench `peers`. */
export interface PeersPlan {
  /** How many times each operation runs in each round. */
  operations: number;
  rounds: number;
  /** How many times the sending process of each side is killed. */
  kills: number;
}

/** Measures all sides on one stack. */
async function measureSides(plan: PeersPlan, output: NodeJS.WriteStream): Promise<Omit<PeersResult, 'kills'>> {
  const world = await PeersWorld.start();
  const client = new Client({ connectionString: world.superuserAddress });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const sides: RunningSide[] = [];
    for (const name of sideNames)
      sides.push({ name, caller: await world.startSide(name), transactions: [], codes: new Map() });
    const rounds = await measureRounds(world, client, sides, plan, output);
    return { ...rounds, writes: await measureWrites(world, client, sides, plan.operations, output) };
  } finally {
    await client.end().catch(() => undefined);
    await world.stop();
  }
}

/**
 * Compares Countersign with what a user would build instead: the same endpoints on raw Temporal, DBOS, pg-boss, BullMQ, and plain Postgres.
 * Nothing has a limit. Saves the figures as JSON, the tables as Markdown, and the charts as SVG. Returns true. Needs Linux.
 */
export async function runPeers(plan: PeersPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting a stack and the peers …\n');
  const measured = await measureSides(plan, output);
  output.write('Starting a stack with a slow provider …\n');
  const result: PeersResult = { ...measured, kills: await measureKills(plan.kills, output) };
  const tables = formatPeers(result);
  output.write(`\n${tables}\n\n`);
  const files = [
    saveOutput('peers.json', `${JSON.stringify(result, null, 2)}\n`),
    saveOutput('peers.md', `${tables}\n`),
    saveOutput('peers.svg', drawPeers(result)),
  ];
  output.write(`Figures, tables and charts: ${files.join(', ')}\n`);
  return true;
}
