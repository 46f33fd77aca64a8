import { hasCamera, isDesktop, isInApp } from './camera.mjs';
import { button, h } from '../../pages/browser/elements.mjs';
import { LinkClosedError } from './final-screens.mjs';
import { readSession } from './link-api.mjs';
import { announce, showScreen } from './screen.mjs';
import { linkPath, texts } from './texts.mjs';

/** How often a computer checks whether the link was opened on the phone. */
const pollIntervalMs = 4_000;

/**
 * Opening a link binds it to this browser. So inside an app, or without a camera, the page first offers another browser or
 * device. Resolves when the person continues here. Rejects with LinkClosedError if another device opens the link.
 */
export async function chooseDevice() {
  const inApp = isInApp();
  if (!inApp && (await hasCamera())) return;
  const { heading, text } = inApp ? texts.where.inApp : texts.where.noCamera;
  let timer;
  try {
    await new Promise((resolve, reject) => {
      timer = setInterval(() => void detectOtherDevice(reject), pollIntervalMs);
      const continueButton = button(inApp ? 'plain' : 'main', resolve, inApp ? texts.where.here : texts.where.files);
      const qrFigure = !inApp && isDesktop() && createQrFigure();
      showScreen(
        { name: 'where', heading },
        h('p', { class: 'lead' }, text),
        ...(qrFigure ? [qrFigure] : []),
        h('div', { class: 'actions' }, ...(qrFigure ? [] : [createCopyForm()]), continueButton),
      );
    });
  } finally {
    clearInterval(timer);
  }
}

async function detectOtherDevice(reject) {
  if (document.hidden) return;
  const session = await readSession().catch(() => undefined);
  if (session?.owner === 'other') reject(Object.assign(new LinkClosedError('taken'), { moved: true }));
}

function createQrFigure() {
  const figure = h(
    'figure',
    { class: 'qr' },
    h('img', { src: `${linkPath}/qr.svg`, alt: texts.where.qr, width: '200', height: '200' }),
    h('figcaption', {}, texts.where.scan),
  );
  figure.firstChild.addEventListener('error', () => figure.replaceWith(createCopyForm()));
  return figure;
}

function createCopyForm() {
  const { copy, copied } = texts.where;
  const linkInput = h('input', { class: 'address', readonly: true, value: location.href, 'aria-label': copy });
  const copyButton = button(
    'main',
    async () => {
      try {
        await navigator.clipboard.writeText(location.href);
        copyButton.textContent = copied;
        announce(copied);
      } catch {
        // The browser does not let the page copy. The person can copy the selected text.
        linkInput.focus();
        linkInput.select();
      }
    },
    copy,
  );
  return h('div', { class: 'copy' }, linkInput, copyButton);
}
