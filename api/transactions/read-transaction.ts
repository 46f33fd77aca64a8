import type { TransactionView } from '../../domain/transaction/views';
import type { Handler } from '../http/route';
import { languageOfRequest, languageHeaders } from '../http/language';
import { readHeaders } from '../temporal/transactions';
import { readAssessedTransaction } from '../temporal/read-assessed';

/** GET /v1/transaction/{id}: the data of the transaction, and whether its phone and mailbox are confirmed. */
export const readTransaction: Handler = async ({ dependencies, tenant, id }) => {
  const read = await dependencies.transactions.read({ tenant, id });
  return { status: 200, headers: readHeaders(read), body: read.view.transaction };
};

/** GET …/all: the transaction with its analyses and confirmations. */
export const readAll: Handler = async (call) => {
  const language = languageOfRequest(call);
  const read = await readAssessedTransaction(call, language);
  const { transaction, scores, ratings, insights, smsToken, biometrics } = read.view;
  const body = {
    transaction: { ...transaction, complements: [] },
    scores,
    ratings,
    insights,
    ...(smsToken ? { smsToken: summarizeToken(smsToken) } : {}),
    ...(biometrics ? { biometrics } : {}),
  };
  return { status: 200, headers: { ...readHeaders(read), ...languageHeaders(language) }, body };
};

function summarizeToken({ status, type, createdAt, repliedAt }: NonNullable<TransactionView['smsToken']>) {
  return { status, type, createdAt, ...(repliedAt ? { repliedAt } : {}) };
}
