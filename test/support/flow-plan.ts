import { randomUUID } from 'node:crypto';
import type { FlowDefinition } from '../../domain/flows/definition';
import type { RunPlan } from '../../domain/flows/run';
import { settingsOf } from '../../domain/flows/settings-of';
import { templates } from '../../flows/templates';
import { digestCode } from '../../platform/codes';
import { propose, testKeys } from './build';

/** What the API would give a run of a flow to take along. */
export function planOf(flow: FlowDefinition, transactionId: string): RunPlan {
  const named = (kind: 'confirm' | 'biometrics') =>
    Object.entries(flow.steps).flatMap(([name, step]) => (step.kind === kind ? [name] : []));
  const confirmations = named('confirm').map((name) => {
    const settings = { ...settingsOf(flow, name, templates), asker: `${flow.name}/${name}` };
    const { language, allowedCountries, requireVerifiedEmail } = propose(settings, transactionId);
    return [name, { flow: settings, language, allowedCountries, requireVerifiedEmail }];
  });
  const links = named('biometrics').map((name) => {
    const step = flow.steps[name];
    const linkSeconds = step?.kind === 'biometrics' ? step.linkSeconds : 0;
    const link = { expiresAfterMs: linkSeconds * 1_000, language: 'pt-BR', channels: [], messages: {} };
    return [name, { ...link, allowedCountries: ['55'], imageDays: 90 }];
  });
  const first = Object.fromEntries(confirmations)[flow.start]?.flow;
  const confirmationId = randomUUID();
  const digest = first && digestCode(testKeys, transactionId, confirmationId, first);
  return {
    runId: randomUUID(),
    flow,
    ...(first?.kind === 'token' && digest ? { first: { confirmationId, digest } } : {}),
    confirmations: Object.fromEntries(confirmations),
    links: Object.fromEntries(links),
  };
}
