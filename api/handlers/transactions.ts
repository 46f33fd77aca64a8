import { setTimeout as pause } from 'node:timers/promises';
import type { Language } from '../../domain/language';
import type { TransactionView } from '../../domain/views';
import type { Call, Handler } from '../route';
import type { Source } from '../transactions';
import { languageFor, languageHeaders } from './language';

/** Tells readers when an answer did not come from the running workflow. */
export function sourceHeaders(source: Source): Record<string, string> {
  return { 'X-Countersign-Source': source };
}

export const readTransaction: Handler = async ({ parts, tenant, id }) => {
  const { view, source } = await parts.transactions.read({ tenant, id });
  return { status: 200, headers: sourceHeaders(source), body: view.transaction };
};

/** The initial score is there within some 100 ms of the create; a caller that reads at once should find it. */
const assessmentWait = { ms: 2_000, pauseMs: 100 } as const;

export async function readAssessed(
  { parts, tenant, id }: Call,
  language?: Language,
): Promise<{ view: TransactionView; source: Source }> {
  const until = Date.now() + assessmentWait.ms;
  for (;;) {
    const read = await parts.transactions.read({ tenant, id }, language);
    if (read.view.assessed || Date.now() + assessmentWait.pauseMs >= until) return read;
    await pause(assessmentWait.pauseMs);
  }
}

/** GET /all: the transaction with everything that was found and asked. */
export const readAll: Handler = async (call) => {
  const language = languageFor(call);
  const { view, source } = await readAssessed(call, language);
  const { transaction, scores, ratings, insights, smsToken, biometrics } = view;
  const body = {
    transaction: { ...transaction, complements: [] },
    scores,
    ratings,
    insights,
    ...(smsToken ? { smsToken: shownInAll(smsToken) } : {}),
    ...(biometrics ? { biometrics } : {}),
  };
  return { status: 200, headers: { ...sourceHeaders(source), ...languageHeaders(language) }, body };
};

function shownInAll({ status, type, createdAt, repliedAt }: NonNullable<TransactionView['smsToken']>) {
  return { status, type, createdAt, ...(repliedAt ? { repliedAt } : {}) };
}
