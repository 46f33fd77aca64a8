import { isUnused } from '../../../domain/biometrics/biometrics';
import { canceledBy } from '../../../domain/biometrics/canceled-by';
import { promisesMessage } from '../../../domain/biometrics/decision-message';
import { type Language, languages } from '../../../domain/language';
import type { ClosedReason } from '../page/biometrics-texts';
import { sendClosed, sendShell } from '../page/serve-page';
import { Problem } from '../../http/problem';
import type { Serve } from '../../http/route';
import { findLink, type HostedLink } from './opened-link';

/** Why this browser cannot use the link; undefined if it can. */
function closedReason(opened: HostedLink): ClosedReason | undefined {
  const { link, owner } = opened;
  const by = canceledBy(opened.link, opened.isNewest);
  if (by) return by === 'newer' ? 'canceled' : by;
  if (isUnused(link)) return 'expired';
  if (owner !== 'other') return undefined;
  return link.status === 'InProgress' ? 'taken' : 'used';
}

/** GET /biometrics/{token}: the page. It changes nothing, because message apps and mail scanners open links first. */
export const showBiometricsPage: Serve = async (dependencies, request, response) => {
  const { BRAND: brand, DEFAULT_LANGUAGE } = dependencies.config;
  const accepted = (request.acceptsLanguages([...languages]) || DEFAULT_LANGUAGE) as Language;
  try {
    const opened = await findLink(dependencies, request, response);
    if (!opened) return sendClosed(response, { language: accepted, brand, reason: 'unknown' });
    const { link, token } = opened;
    const { language } = link;
    const reason = closedReason(opened);
    if (reason) return sendClosed(response, { language, brand, reason });
    const { imageDays: keptDays, facePolicy } = link;
    const forLink = { verifiesFaces: facePolicy !== undefined, promisesMessage: promisesMessage(link) };
    sendShell(response, { language, brand, token, keptDays, ...forLink });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    sendClosed(response, { language: accepted, brand, reason: 'unavailable' });
  }
};
