import type { Response } from 'express';
import { fillText } from '../../../domain/confirmation-settings';
import type { ConfirmationPage } from '../../../domain/confirmation-page';
import type { LinkPurpose } from '../../../platform/links';
import type { Dependencies } from '../../dependencies';
import { pageHeaders } from '../../pages/page-headers';
import { type PageContent, renderPage } from './page-layout';
import { type PageResult, pageTexts } from './page-texts';

/** Sends the page of a confirmation: the question while the person may answer, then the result. */
export function showConfirmation(
  dependencies: Dependencies,
  response: Response,
  confirmation: ConfirmationPage,
  purpose: LinkPurpose,
): void {
  const { status, prompt, language } = confirmation;
  const { title, question, hint, deny, superseded, yes, no } = pageTexts[language];
  const brand = dependencies.config.BRAND;
  const baseContent = { language, title, brand };
  const denyButton = { value: 'deny', label: no };
  if (purpose === 'deny') {
    if (confirmation.denialTargetId === undefined) return sendResult(dependencies, response, 'denied', confirmation);
    const heading = fillText(deny.question, { brand });
    return sendPage(response, 200, {
      ...baseContent,
      heading,
      text: deny.hint,
      buttons: [{ ...denyButton, strong: true }],
    });
  }
  if (status === 'waiting' && prompt) {
    const { subject = title, body, replies } = prompt;
    const buttons = replies.map(({ option, label, meaning }) => ({
      value: String(option),
      label,
      strong: meaning === 'yes',
    }));
    return sendPage(response, 200, { ...baseContent, heading: subject, text: body, buttons });
  }
  if (status === 'waiting') {
    const buttons = [{ value: 'confirm', label: yes, strong: true }, denyButton];
    return sendPage(response, 200, { ...baseContent, heading: fillText(question, { brand }), text: hint, buttons });
  }
  if (status === 'superseded') return sendPage(response, 200, { ...baseContent, ...superseded, buttons: [denyButton] });
  sendResult(dependencies, response, status, confirmation);
}

const httpStatuses: Record<PageResult, number> = {
  confirmed: 200,
  denied: 200,
  noted: 200,
  expired: 410,
  closed: 410,
  unknown: 404,
  unavailable: 503,
};

/** The page has no scripts. Its buttons are a form. */
const sources = { 'script-src': "'none'", 'connect-src': "'none'", 'form-action': "'self'" };

function sendPage(response: Response, status: number, content: PageContent): void {
  response.status(status).set(pageHeaders({ language: content.language, sources }));
  if (status === 503) response.set('Retry-After', '2');
  response.type('html').send(renderPage(content));
}

/** Sends a page with a result. `replied`: the label of the chosen reply, which the text `noted` repeats. */
export function sendResult(
  { config }: Dependencies,
  response: Response,
  result: PageResult,
  { language, replied }: Pick<ConfirmationPage, 'language' | 'replied'>,
): void {
  const { title, results } = pageTexts[language];
  const { heading, text: template } = results[result];
  const text = template.replace('{{reply}}', () => replied ?? '');
  sendPage(response, httpStatuses[result], { language, title, brand: config.BRAND, heading, text });
}
