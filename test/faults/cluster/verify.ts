import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { webhookWorkflowType, workflowType } from '../../../workflows/contract/ids';
import { replayHistories } from '../replay-histories';
import { expectStatus } from '../retrying-caller';
import type { Cluster } from './cluster';
import { expectedMessages, type Person } from './persons';
import type { Arrival, WebhookReceiver } from './webhook-receiver';

/** What is wrong with one person, or with the whole cluster if `person` is absent. */
export interface Finding {
  /** `lost`: something acknowledged is missing. `doubled`: a person got a message twice. `wrong`: anything else. */
  kind: 'lost' | 'doubled' | 'wrong';
  text: string;
  person?: Person;
}

export interface Verification {
  findings: Finding[];
  /** Messages of all persons and probes that the provider accepted. */
  messages: number;
  events: number;
  /** Events that arrived more than once, because the response to an earlier delivery was lost. */
  repeatedEvents: number;
  /** Deliveries that the caller rejected, because the clock of the worker was wrong. The worker delivers these events again. */
  rejectedEvents: number;
  /** Mails that arrived more than once, with the same Message-ID: SMTP cannot say whether an earlier attempt arrived. */
  repeatedMails: number;
  replayedHistories: number;
}

/** The pauses of webhook deliveries grow up to 5 minutes while a worker cannot deliver. */
const eventsWithinMs = 360_000;
const histories = 100;
const parallelChecks = 6;
/** A message that was retried in the background arrives at the latest when its code expires. */
const messagesWithinMs = 60_000;

/** Compares what callers were told with what they read now, what persons received, and what webhooks delivered. */
export async function verify(
  cluster: Cluster,
  persons: readonly Person[],
  probePhones: readonly string[],
  receiver: WebhookReceiver,
): Promise<Verification> {
  const findings: Finding[] = [];
  const created = persons.filter(({ transactionId }) => transactionId);
  for (const person of persons)
    if (person.failure !== undefined) findings.push({ kind: 'lost', text: `not confirmed: ${person.failure}`, person });
  const queue = [...created];
  const totals = { events: 0, repeatedEvents: 0 };
  const checkAll = async () => {
    for (let person = queue.shift(); person; person = queue.shift()) {
      findings.push(...(await checkState(cluster, person)));
      findings.push(...(await checkEvents(cluster, person, receiver, totals)));
    }
  };
  await Promise.all(Array.from({ length: parallelChecks }, checkAll));
  const mails = await checkMessages(cluster, persons, probePhones, findings);
  findings.push(...(await checkWorkflows(cluster)));
  const sample = created.filter((_, index) => index % Math.ceil(created.length / histories) === 0);
  for (const [person, error] of await replayHistories(cluster, sample))
    findings.push({
      kind: 'wrong',
      text: `the history ${await saveHistory(cluster, person.transactionId)} cannot be replayed: ${error}`,
      person,
    });
  return {
    findings,
    ...mails,
    ...totals,
    rejectedEvents: receiver.rejectedCount,
    replayedHistories: sample.length,
  };
}

/** The state that the last answer to the caller implied. */
async function checkState({ caller }: Cluster, person: Person): Promise<Finding[]> {
  const { path, kind, runId } = person;
  const read = async (target: string) => {
    const { status, body } = await caller.get(target);
    return status === 200 ? (body as Record<string, unknown>) : { status: `HTTP ${status}` };
  };
  const lost = (text: string): Finding[] => [{ kind: 'lost', text, person }];
  // Why it failed is known already. What was acknowledged before may be in any state.
  if (person.failure !== undefined) {
    const { status } = await caller.get(`${path}/all`);
    return status === 200 ? [] : lost(`the transaction reads ${status}`);
  }
  if (runId !== undefined) {
    const { outcome, status } = await read(`${path}/flows/runs/${runId}`);
    return outcome === 'Confirmed' ? [] : lost(`the flow run reads ${String(status)} ${String(outcome)}`);
  }
  const all = (await read(`${path}/all`)) as Record<string, { status?: string } | undefined>;
  if (kind === 'code by SMS' && all['smsToken']?.status !== 'Valid')
    return lost(`the code reads ${all['smsToken']?.status}`);
  const { status } = await read(path.replace('/v1/transaction/', '/v1/transactions/'));
  return status === 'Confirmed' ? [] : lost(`the transaction reads ${String(status)}`);
}

/** Every event has arrived, in order. */
async function checkEvents(
  { caller }: Cluster,
  person: Person,
  receiver: WebhookReceiver,
  totals: { events: number; repeatedEvents: number },
): Promise<Finding[]> {
  const path = person.path.replace('/v1/transaction/', '/v1/transactions/');
  const { events } = expectStatus(200, await caller.get(`${path}/events`)).body as { events: Arrival[] };
  const deadline = Date.now() + eventsWithinMs;
  const missing = () => {
    const ids = new Set(receiver.arrivalsOf(person.transactionId).map(({ id }) => id));
    return events.filter(({ id }) => !ids.has(id));
  };
  while (missing().length > 0 && Date.now() < deadline) await sleep(500);
  const first = new Map<string, number>();
  for (const { id, sequence } of receiver.arrivalsOf(person.transactionId))
    if (first.has(id)) totals.repeatedEvents += 1;
    else first.set(id, sequence);
  totals.events += first.size;
  const sequences = [...first.values()];
  return [
    ...missing().map(({ id }): Finding => ({ kind: 'lost', text: `the webhook did not get event ${id}`, person })),
    ...(sequences.every((sequence, index) => sequence === index + 1)
      ? []
      : [{ kind: 'wrong', text: `events arrived as ${sequences.join(', ')}`, person } as const]),
  ];
}

/** Adds findings for each person with too many or too few messages. */
async function checkMessages(
  cluster: Cluster,
  persons: readonly Person[],
  probePhones: readonly string[],
  findings: Finding[],
): Promise<{ messages: number; repeatedMails: number }> {
  const readCounts = async () => {
    const counts = new Map<string, number>();
    for (const { to, channel } of await cluster.person.readMessages())
      counts.set(`${to} ${channel}`, (counts.get(`${to} ${channel}`) ?? 0) + 1);
    return counts;
  };
  const countOf = (counts: Map<string, number>, person: Person, channel: string) =>
    counts.get(`${channel === 'email' ? person.email : person.phone} ${channel}`) ?? 0;
  let counts = await readCounts();
  const isMissing = (person: Person) =>
    person.failure === undefined &&
    Object.entries(expectedMessages[person.kind]).some(([channel, count]) => countOf(counts, person, channel) < count);
  for (const deadline = Date.now() + messagesWithinMs; persons.some(isMissing) && Date.now() < deadline; ) {
    await sleep(1_000);
    counts = await readCounts();
  }
  let repeatedMails = 0;
  for (const person of persons)
    for (const channel of ['sms', 'whatsapp', 'email'] as const) {
      const [count, expected] = [countOf(counts, person, channel), expectedMessages[person.kind][channel] ?? 0];
      if (count > expected && channel === 'email') repeatedMails += count - expected;
      else if (count > expected)
        findings.push({ kind: 'doubled', text: `${count} messages by ${channel} instead of ${expected}`, person });
      else if (count < expected && person.failure === undefined)
        findings.push({ kind: 'lost', text: `${count} messages by ${channel} instead of ${expected}`, person });
    }
  for (const phone of probePhones) {
    const count = counts.get(`${phone} sms`) ?? 0;
    if (count > 1) findings.push({ kind: 'doubled', text: `${count} messages to the probe ${phone}` });
  }
  return { messages: [...counts.values()].reduce((sum, count) => sum + count, 0), repeatedMails };
}

/** No workflow of a transaction or a webhook has ended in a way that only an error can cause. Readiness probes of workers may time out. */
async function checkWorkflows({ temporal }: Cluster): Promise<Finding[]> {
  const types = [workflowType, webhookWorkflowType].map((type) => `WorkflowType = '${type}'`).join(' OR ');
  const statuses = ['Failed', 'Terminated', 'TimedOut', 'Canceled'].map((status) => `ExecutionStatus = '${status}'`);
  const findings: Finding[] = [];
  for await (const { workflowId, status } of temporal.workflow.list({
    query: `(${types}) AND (${statuses.join(' OR ')})`,
  }))
    findings.push({ kind: 'wrong', text: `the workflow ${workflowId} is ${status.name}` });
  return findings;
}

/** Saves the history of a transaction, for `Worker.runReplayHistory` or the Temporal UI. */
async function saveHistory(cluster: Cluster, transactionId: string): Promise<string> {
  const file = join(cluster.stack.dataDir, `history-${transactionId}.json`);
  const history = await cluster.readHistory(transactionId);
  writeFileSync(file, JSON.stringify(historyToJSON(history), undefined, 2));
  return file;
}
