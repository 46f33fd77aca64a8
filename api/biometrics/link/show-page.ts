import { hasEndedWithoutDecision } from '../../../domain/biometrics/biometrics';
import { cancelReasonOf } from '../../../domain/biometrics/cancel-reason';
import { promisesMessage } from '../../../domain/biometrics/decision-message';
import { type Language, languages } from '../../../domain/language';
import type { ClosedReason } from '../page/biometrics-texts';
import { sendClosed, sendShell } from '../page/serve-page';
import { Problem } from '../../http/problem';
import type { RawHandler } from '../../http/route';
import { findHostedLink, type HostedLink } from './hosted-link';

/** Why this browser cannot use the link; undefined if it can. */
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
  const { BRAND: brand, DEFAULT_LANGUAGE } = dependencies.config;
  const requestLanguage = (request.acceptsLanguages([...languages]) || DEFAULT_LANGUAGE) as Language;
  try {
    const hostedLink = await findHostedLink(dependencies, request, response);
    if (!hostedLink) return sendClosed(response, { language: requestLanguage, brand, reason: 'unknown' });
    const { link, token } = hostedLink;
    const { language } = link;
    const reason = closedReason(hostedLink);
    if (reason) return sendClosed(response, { language, brand, reason });
    const { imageDays: keptDays, facePolicy } = link;
    const linkContent = { verifiesFaces: facePolicy !== undefined, promisesMessage: promisesMessage(link) };
    sendShell(response, { language, brand, token, keptDays, ...linkContent });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    sendClosed(response, { language: requestLanguage, brand, reason: 'unavailable' });
  }
};
