import { cancelReasonOf, hasEndedWithoutDecision } from '../../../domain/biometrics/biometrics';
import { announcesMessage } from '../../../domain/biometrics/messages';
import { biometricsPath } from '../../../messages/links';
import { findCallerSite, withResult } from '../../http/caller-site';
import { languageOfRequest } from '../../http/language';
import { frameOf } from '../../pages/framed-page';
import type { ClosedReason } from '../../pages/rendered-pages';
import { sendClosed, sendShell } from '../page/serve-page';
import { Problem } from '../../http/problem';
import type { RawHandler } from '../../http/route';
import { findHostedLink, type HostedLink, visibleStatus } from './hosted-link';

/** Why this browser cannot use the link. Undefined if it can. */
function closedReason(hostedLink: HostedLink): ClosedReason | undefined {
  const { link, owner } = hostedLink;
  const cancelReason = cancelReasonOf(hostedLink.link, hostedLink.isNewest);
  if (cancelReason) return cancelReason === 'newer' ? 'canceled' : cancelReason;
  if (hasEndedWithoutDecision(link)) return 'expired';
  if (owner !== 'other') return undefined;
  return link.status === 'InProgress' ? 'taken' : 'used';
}

/** GET /biometrics/{token}: the page. It must not change anything, because message apps and mail scanners open links. */
export const showBiometricsPage: RawHandler = async (dependencies, request, response) => {
  const requestLanguage = languageOfRequest({ dependencies, request });
  try {
    const hostedLink = await findHostedLink(dependencies, request, response);
    if (!hostedLink) return sendClosed(dependencies, response, { language: requestLanguage, reason: 'unknown' });
    const { link, token, owner, target } = hostedLink;
    const { language } = link;
    const site = await findCallerSite(dependencies, link.requester);
    const { returnUrl } = site;
    const [transactionId, frame] = [target.id, frameOf(site, target.id)];
    const reason = closedReason(hostedLink);
    if (reason) {
      const status = visibleStatus(hostedLink);
      // If another browser owns the link, this browser gets no data of the link.
      const back = owner === 'other' || !returnUrl ? undefined : withResult(returnUrl, { transactionId, status });
      return sendClosed(dependencies, response, { language, reason, back, frame, event: { type: 'closed', status } });
    }
    const settings = {
      ...{ base: biometricsPath(encodeURIComponent(token)), keptDays: link.imageDays },
      ...{ verifiesFaces: link.facePolicy !== undefined, announcesMessage: announcesMessage(link) },
      ...(returnUrl === undefined ? {} : { returnUrl, transactionId }),
      ...(frame ? { frame } : {}),
    };
    sendShell(dependencies, response, { language, settings });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    sendClosed(dependencies, response, { language: requestLanguage, reason: 'unavailable' });
  }
};
