import { hasCamera, isDesktop, isInApp } from './camera.mjs';
import { button, h } from '../../pages/browser/elements.mjs';
import { Closed } from './final-screens.mjs';
import { readSession } from './link-api.mjs';
import { announce, show } from './screen.mjs';
import { base, texts } from './texts.mjs';

/** How often a computer checks whether the link was opened on the phone. */
const checkEveryMs = 4_000;

/**
 * Opening a link binds it to this browser. So inside an app, or without a camera, the page first offers another browser or
 * device. Resolves when the person continues here. Throws Closed if the link was opened elsewhere.
 */
export async function chooseDevice() {
  const inApp = isInApp();
  if (!inApp && (await hasCamera())) return;
  const { heading, text } = inApp ? texts.where.inApp : texts.where.noCamera;
  let timer;
  try {
    await new Promise((resolve, reject) => {
      timer = setInterval(() => void noticeOther(reject), checkEveryMs);
      const here = button(inApp ? 'plain' : 'main', resolve, inApp ? texts.where.here : texts.where.files);
      const code = !inApp && isDesktop() && qr();
      show(
        { name: 'where', heading },
        h('p', { class: 'lead' }, text),
        ...(code ? [code] : []),
        h('div', { class: 'actions' }, ...(code ? [] : [copyLink()]), here),
      );
    });
  } finally {
    clearInterval(timer);
  }
}

async function noticeOther(reject) {
  if (document.hidden) return;
  const session = await readSession().catch(() => undefined);
  if (session?.owner === 'other') reject(Object.assign(new Closed('taken'), { moved: true }));
}

function qr() {
  const figure = h(
    'figure',
    { class: 'qr' },
    h('img', { src: `${base}/qr.svg`, alt: texts.where.qr, width: '200', height: '200' }),
    h('figcaption', {}, texts.where.scan),
  );
  figure.firstChild.addEventListener('error', () => figure.replaceWith(copyLink()));
  return figure;
}

function copyLink() {
  const { copy, copied } = texts.where;
  const address = h('input', { class: 'address', readonly: true, value: location.href, 'aria-label': copy });
  const press = button(
    'main',
    async () => {
      try {
        await navigator.clipboard.writeText(location.href);
        press.textContent = copied;
        announce(copied);
      } catch {
        // If the page may not copy, the person can.
        address.focus();
        address.select();
      }
    },
    copy,
  );
  return h('div', { class: 'copy' }, address, press);
}
