import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { announce } from '../app/messages';
import { Button } from '../kit/button';
import { hasCamera, isDesktop, isInApp } from './camera';
import { LinkClosedError } from './errors';
import { readLinkState } from './link-api';
import { settings } from './page-settings';
import { texts } from './page-texts';
import { askOnScreen } from './screen';

/** How often this page checks whether another browser has opened the link. */
const pollIntervalMs = 4_000;

/** Shows the address of this page, and copies it for another device or another browser. */
function CopyForm(): ComponentChildren {
  const { copy, copied } = texts.where;
  const address = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copyAddress = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      setCopied(true);
      announce(copied);
    } catch {
      // The browser does not let the page copy. The person can copy the selected text.
      address.current?.focus();
      address.current?.select();
    }
  };
  return (
    <div class="copy">
      <input class="field-control" ref={address} readOnly value={location.href} aria-label={copy} />
      <Button tone="main" onClick={() => void copyAddress()}>
        {isCopied ? copied : copy}
      </Button>
    </div>
  );
}

/** The ways to continue. If `inApp` is true, this browser is a part of another app. If `inApp` is false, the device has no camera. */
function Choice({ inApp, onContinue }: { inApp: boolean; onContinue: () => void }): ComponentChildren {
  const [hasQr, setHasQr] = useState(!inApp && isDesktop());
  const { scan, qr, here, files } = texts.where;
  return (
    <>
      <p class="lead">{(inApp ? texts.where.inApp : texts.where.noCamera).text}</p>
      {hasQr && (
        <figure class="qr">
          <img src={`${settings.base}/qr.svg`} alt={qr} width="200" height="200" onError={() => setHasQr(false)} />
          <figcaption>{scan}</figcaption>
        </figure>
      )}
      <div class="actions">
        {!hasQr && <CopyForm />}
        <Button tone={inApp ? 'plain' : 'main'} onClick={onContinue}>
          {inApp ? here : files}
        </Button>
      </div>
    </>
  );
}

/** Calls `fail` if another browser has opened the link. Does not check while this page is hidden. */
async function rejectIfMoved(fail: (error: unknown) => void): Promise<void> {
  if (document.hidden) return;
  const session = await readLinkState().catch(() => undefined);
  if (session?.owner === 'other') fail(new LinkClosedError('taken', { moved: true }));
}

/**
 * The first browser that opens a link becomes the owner of the link, and no other browser can continue. So inside an app, or without a
 * camera, the page first offers another browser or device. Resolves when the person continues here. Rejects with LinkClosedError if another
 * browser opens the link.
 */
export async function chooseDevice(): Promise<void> {
  const inApp = isInApp();
  if (!inApp && (await hasCamera())) return;
  let timer: ReturnType<typeof setInterval> | undefined;
  try {
    await askOnScreen<void>((finish, fail) => {
      timer = setInterval(() => void rejectIfMoved(fail), pollIntervalMs);
      return {
        name: 'where',
        heading: (inApp ? texts.where.inApp : texts.where.noCamera).heading,
        content: <Choice inApp={inApp} onContinue={() => finish()} />,
      };
    });
  } finally {
    clearInterval(timer);
  }
}
