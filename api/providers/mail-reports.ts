import express from 'express';
import { hashDestination } from '../../messages/codes';
import { isMailReportToken } from '../../messages/links';
import { type MailReport, readMailReport, stopsMailbox } from '../../messages/mail-reports';
import { asService } from '../../platform/postgres/tenant-scope';
import {
  findReportedMail,
  type MailStop,
  type ReportedMail,
  stopMailbox,
} from '../../store/messages/sends/mail-stops.sql';
import { runBodyParser } from '../http/body/read-json';
import { Problem } from '../http/problem';
import { type RawHandler, undocumentedRoute, type UndocumentedRoute } from '../http/route';
import type { Needs } from '../dependencies';

/** A report returns our mail, which has some 20 KB, and adds a few kilobytes. The size also limits how long the parser takes. */
const reportBytesMax = 256 * 1024;
const readMail = express.raw({ type: () => true, limit: reportBytesMax, inflate: false });

/**
 * POST /webhooks/mail/{token}: the mail system of the operator posts a mail that has arrived at the address of bounces or complaints, as it is.
 * A mail that is no report about a mail of the service changes nothing, and gets the same answer: an error would make mail systems report the
 * report.
 */
export const receiveMailReport: RawHandler<'keys' | 'logger' | 'pool' | 'providerEvents'> = async (
  dependencies,
  request,
  response,
) => {
  if (!isMailReportToken(dependencies.keys, String(request.params['token']))) throw new Problem('invalid_signature');
  const body = await runBodyParser(readMail, request, response);
  const report = Buffer.isBuffer(body) ? await readMailReport(body) : undefined;
  // Nothing but the Message-ID says whose mail it is. So the report of a stranger, who does not know it, changes nothing.
  await asService(async () => {
    const mail = report && (await findReportedMail(dependencies.pool, report.messageIds));
    if (mail) await takeReport(dependencies, mail, report);
    else dependencies.logger.info({ kind: report?.kind ?? 'none' }, 'a mail report matched no mail');
  });
  response.status(204).end();
};

/** Applies a report. A repeat changes nothing. */
async function takeReport(
  { keys, logger, pool, providerEvents }: Needs<'keys' | 'logger' | 'pool' | 'providerEvents'>,
  { sendId, providerId, destination }: ReportedMail,
  report: MailReport,
): Promise<void> {
  const stop = async (why: MailStop) => {
    await stopMailbox(pool, sendId, why);
    logger.info({ sendId, ...why }, 'mails to a mailbox are stopped');
  };
  if (report.kind === 'complaint') return stop({ reason: 'complained', code: report.code });
  const { failures } = report;
  // The mailbox may have forwarded the mail. Then the failure can be about another mailbox.
  const ownFailure = failures.find(({ addresses }) =>
    addresses.some((address) => hashDestination(keys, address) === destination),
  );
  const code = (ownFailure ?? failures[0])?.code;
  if (code === undefined) return;
  if (ownFailure && stopsMailbox(code)) await stop({ reason: 'bounced', code });
  await providerEvents.takeStatus({ kind: 'status', sendId, providerId, status: 'failed', code });
}

/** Reports of the operator's mail system. Their address has a signature instead of an access token. */
export const mailReportRoutes: readonly UndocumentedRoute[] = [
  undocumentedRoute('post', '/webhooks/mail/{token}', receiveMailReport, 'rejected'),
];
