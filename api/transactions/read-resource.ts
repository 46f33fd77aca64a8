import type { Handler } from '../http/route';
import { languageHeaders, languageOfRequest } from '../http/language';
import { readAssessedTransaction } from '../temporal/read-assessed';
import { readHeaders } from '../temporal/transactions';

/** GET /v1/transactions/{id}: the transaction with its status, everything that it waits for, and all results. */
export const readResource: Handler = async (call) => {
  const language = languageOfRequest(call);
  const read = await readAssessedTransaction(call, language);
  const { status, changedAt, awaited, transaction, scores, ratings, insights, confirmations, biometrics, flowRuns } =
    read.view;
  const body = {
    id: call.id,
    status,
    createdAt: transaction['createdAt'],
    changedAt,
    awaited,
    transaction,
    scores,
    ratings,
    insights,
    confirmations,
    ...(biometrics ? { biometrics } : {}),
    flowRuns,
  };
  return { status: 200, headers: { ...readHeaders(read), ...languageHeaders(language) }, body };
};
